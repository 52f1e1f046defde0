import { MemoryIndex } from "../../../../../src/tools/lookup-knowledge/backends/folder/memory-index.ts";
import { describePassageIndex } from "./passage-index-contract.ts";

describePassageIndex("MemoryIndex", async () => new MemoryIndex());
