import { isAlphanumeric, isDigit, isHex, lineStart } from "../chars.ts";
import type { ScanText } from "../scan-text.ts";

const QUAD = /(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![\d])/y;
/** Words that make a dotted quad a version or a section. */
const VERSIONED =
  /(?:\b(?:version|ver|v|release|released|build|upgrade|upgraded|upgrading|agent|kernel|chapter|section|step|oid|firmware|jre|jdk|openjdk|driver|rev|revision|patch)\b|版本|升级|内核|固件|章|节|补丁)(?:[^\n\d]|\d+(?:\.\d+)*\s+(?:to|->|到|至))*$/i;

/** A dotted quad that is an address. Returns its end, or `start` when there is none. */
export function scanIpv4(scan: ScanText, start: number): number {
  const { text } = scan;
  QUAD.lastIndex = start;
  const quad = QUAD.exec(text);
  if (quad === null) return start;
  const end = start + quad[0].length;
  if (!inRange(quad) || isPartOfMore(text, start, end)) return endOfDots(text, end);
  if (scan.isVersion || isSpecial(quad[0]) || isVersioned(text, start)) return end;
  scan.add(start, end, "ip");
  return end;
}

function inRange(quad: RegExpExecArray): boolean {
  for (let part = 1; part <= 4; part++) {
    const digits = quad[part] as string;
    if (Number(digits) > 255 || (digits.length > 1 && digits.startsWith("0"))) return false;
  }
  return true;
}

/** Part of a longer dotted run, or glued to a name: `1.2.3.4.5`, `Chrome/120.0.0.0`, `ojdbc8-19.3.0.0`. */
function isPartOfMore(text: string, start: number, end: number): boolean {
  if (text[end] === "." && isDigit(text.charCodeAt(end + 1))) return true;
  const next = text.charCodeAt(end);
  if (
    isAlphanumeric(next) ||
    (text[end] === "-" && isAlphanumeric(text.charCodeAt(end + 1)) && !isDigit(text.charCodeAt(end + 1)))
  )
    return true;
  const before = text[start - 1] ?? "";
  if (before === "." || before === "_") return true;
  if (before === "-") return /[A-Za-z0-9]/.test(text[start - 2] ?? "");
  if (before === "/") return isProduct(text, start - 1);
  return before === "=" && /(?:version|\bver|build|release|\boid)=$/i.test(text.slice(Math.max(0, start - 12), start));
}

/** `Chrome/120.0.0.0` is a product; `k8s-node-45/172.28.178.176` and `//10.0.0.1` are not. */
function isProduct(text: string, slash: number): boolean {
  const name = /([A-Za-z][\w.-]{0,40})$/.exec(text.slice(Math.max(0, slash - 41), slash))?.[1];
  if (name === undefined) return false;
  return !/\d$|\.|^(?:ip|inet|addr|address|host|from|to|client|remote|peer|local|node|localhost)$/i.test(name);
}

/** Loopback, unspecified, netmask and broadcast addresses identify nothing; 2.5.4 and 2.5.29 are arcs of X.500. */
function isSpecial(quad: string): boolean {
  return (
    quad.startsWith("127.") ||
    quad.startsWith("2.5.29.") ||
    quad.startsWith("2.5.4.") ||
    quad.startsWith("0.0.0.") ||
    quad.startsWith("255.")
  );
}

function isVersioned(text: string, start: number): boolean {
  const line = text.slice(lineStart(text, start, 48), start);
  return (
    VERSIONED.test(line.slice(-48)) &&
    !/(?:addr|address|ip|host|peer|client|remote|server|dial|connect|tcp|udp|inet|via)\W{0,3}$/i.test(line)
  );
}

function endOfDots(text: string, from: number): number {
  let end = from;
  while (end < text.length && end - from < 128 && (isDigit(text.charCodeAt(end)) || text[end] === ".")) end++;
  return end;
}

const MAC = /(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![0-9A-Za-z])/y;
const MAC_CONTEXT = /(?:link\/ether|mac|lladdr|hwaddr|arp|ether|moved from|bssid|station)[^\n]{0,24}$/i;

/** Six pairs of hexadecimal digits; without a letter in them only where the words around speak of links. Returns the end. */
export function scanMac(scan: ScanText, start: number): number {
  const { text } = scan;
  MAC.lastIndex = start;
  const found = MAC.exec(text);
  if (found === null) return start;
  const end = start + found[0].length;
  const next = text[end];
  if (next === found[1] && isHex(text.charCodeAt(end + 1))) return endOfHexPairs(text, end);
  if (/^(?:ff[:-]){5}ff$|^(?:00[:-]){5}00$/i.test(found[0])) return end;
  if (!/[A-Fa-f]/.test(found[0]) && !MAC_CONTEXT.test(text.slice(Math.max(0, start - 48), start))) return end;
  scan.add(start, end, "mac");
  return end;
}

/** More than six pairs are a fingerprint or a serial number. */
function endOfHexPairs(text: string, from: number): number {
  let end = from;
  while (
    end < text.length &&
    end - from < 512 &&
    (isHex(text.charCodeAt(end)) || text[end] === ":" || text[end] === "-")
  )
    end++;
  return end;
}

const IPV6 = /(?:[0-9A-Fa-f]{0,4}:){2,7}(?:(\d{1,3}(?:\.\d{1,3}){3})|[0-9A-Fa-f]{1,4})?/y;

/** An IPv6 address whose first group is a routable one. Returns its end, or `start` when there is none. */
export function scanIpv6(scan: ScanText, start: number): number {
  const { text } = scan;
  IPV6.lastIndex = start;
  const found = IPV6.exec(text);
  if (found === null) return start;
  const end = start + found[0].length;
  if (isAlphanumeric(text.charCodeAt(end)) || text.startsWith("::", end)) return endOfHexPairs(text, end);
  if (found[1] !== undefined) addMapped(scan, end - found[1].length, end);
  else if (found[0].includes("::") || colons(found[0]) >= 7) addIpv6(scan, start, found[0]);
  return end;
}

/** The IPv4 part of `::ffff:10.0.0.1`. */
function addMapped(scan: ScanText, start: number, end: number): void {
  if (!isSpecial(scan.text.slice(start, end))) scan.add(start, end, "ip");
}

function addIpv6(scan: ScanText, start: number, run: string): void {
  const address = run.endsWith(":") && !run.endsWith("::") ? run.slice(0, -1) : run;
  if (isIpv6(address) && !/[\w.:]/.test(scan.text[start - 1] ?? "")) scan.add(start, start + address.length, "ip");
}

function colons(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 0x3a) count++;
  return count;
}

function isIpv6(address: string): boolean {
  const compressed = address.split("::");
  if (compressed.length > 2) return false;
  const groups = address.split(":").filter((group) => group !== "");
  if (groups.some((group) => group.length > 4) || (compressed.length === 1 ? groups.length !== 8 : groups.length > 7))
    return false;
  if (/^::ffff:/i.test(address) || /^64:ff9b::/i.test(address)) return groups.length > 2;
  if (address.startsWith(":") || groups.length < 2 || (groups.length === 2 && /^[a-f]+$/i.test(groups.join(""))))
    return isShortPrefix(address, groups);
  return isRoutable(Number.parseInt(groups[0] as string, 16));
}

const isShortPrefix = (address: string, groups: readonly string[]): boolean =>
  !address.startsWith(":") &&
  groups.length >= 1 &&
  (groups[0] as string).length === 4 &&
  isRoutable(Number.parseInt(groups[0] as string, 16));

function isRoutable(first: number): boolean {
  return (
    (first >= 0x2000 && first <= 0x3fff) ||
    (first >= 0xfc00 && first <= 0xfdff) ||
    (first >= 0xfe80 && first <= 0xfebf) ||
    first >= 0xff00
  );
}
