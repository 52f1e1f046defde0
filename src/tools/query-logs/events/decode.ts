import { TextDecoder } from "node:util";

/** How bytes become text. `gb18030` and `latin1` only when the source declares them: neither can be told from the bytes. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "gb18030" | "latin1";

/** The encoding a byte order mark announces, and its length; null without one. */
export function byteOrderMark(bytes: Uint8Array): { readonly encoding: Encoding; readonly length: number } | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { encoding: "utf-8", length: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: "utf-16le", length: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: "utf-16be", length: 2 };
  return null;
}

/** Decodes a stream; bytes that are not valid become U+FFFD, never an exception. */
export function streamDecoder(encoding: Encoding): (bytes: Uint8Array, last: boolean) => string {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return (bytes, last) => decoder.decode(bytes, { stream: !last });
}

// CSI (colours, cursor), OSC (titles, links), and the two-byte escapes.
const ANSI =
  /\u001b(?:\[[0-?]{0,32}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,1024}(?:\u0007|\u001b\\)|[@-Z\\^_=>78])|\u009b[0-?]{0,32}[ -/]{0,8}[@-~]/g;
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufeff]/g;
const MAY_NEED_CLEANING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff\ud800-\udfff]/;

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * A line as a person would see it: without terminal codes, NULs, byte order marks and other controls. A carriage return
 * within the line becomes a blank, so that nothing can hide before it.
 */
export function cleanLine(line: string): string {
  if (!MAY_NEED_CLEANING.test(line)) return line;
  const plain = line.includes("\u001b") || line.includes("\u009b") ? line.replace(ANSI, "") : line;
  return plain.replace(/\r$/, "").replaceAll("\r", " ").replace(CONTROL, "").replace(LONE_SURROGATE, "\ufffd");
}
