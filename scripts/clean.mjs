// Removes what an earlier build left, so that a file which is gone from src is gone from the package too.
import { rmSync } from "node:fs";

rmSync(new URL("../dist", import.meta.url), { recursive: true, force: true });
