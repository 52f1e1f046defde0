import type { KeyClass } from "../keys.ts";
import { isSecretValue } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { scanAuthorization, scanCookie } from "./headers.ts";
import { scanIdentifierValue } from "./identifier-values.ts";

/** Scans a whole text as the value of a key: a JSON member, a column, a field. */
export function scanUnder(scan: ScanText, found: KeyClass): void {
  const { text } = scan;
  switch (found.role) {
    case "secret":
      if (isSecretValue(found, text, { separator: ":", quoted: true, after: "" })) scan.add(0, text.length, found.kind);
      return;
    case "authorization":
      scanAuthorization(scan, 0, false);
      return;
    case "cookie":
      scanCookie(scan, 0);
      return;
    case "identifier":
      scanIdentifierValue(scan, found.kind, 0, { key: "", quote: "", separator: "=" });
      return;
    case "version":
      scan.isVersion = true;
      return;
    default:
  }
}
