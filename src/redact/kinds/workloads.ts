import { isAlphanumeric, isWord, lineStart } from "../chars.ts";
import type { ScanText } from "../scan-text.ts";

/** Letters and digits Kubernetes draws name suffixes from: no vowels, no 0, 1, 3. */
const SAFE = "bcdfghjklmnpqrstvwxz2456789";
const STRICT = new RegExp(`-([${SAFE}]{6,10}-[${SAFE}]{5})(?![A-Za-z0-9-])`, "g");
const LOOSE = /-([a-z0-9]{6,10}-[a-z0-9]{5})(?![A-Za-z0-9-])/g;
const DAEMON = new RegExp(`-([${SAFE}]{5})(?![A-Za-z0-9-])`, "g");
const POD_CONTEXT = /\bpods?\b|pod_?name|kubectl|kubelet|containerd|kubernetes|ReplicaSet|DaemonSet|CrashLoop|\bevict/i;
const NODE_PREFIX = /(?:^|[^a-z0-9-])(?:gke|aks)-[a-z0-9-]*$/;

/**
 * The random suffix of a pod's name; its prefix names the workload and stays. `start` and `end` bound one run of name characters.
 */
export function scanPod(scan: ScanText, start: number, end: number): void {
  const { text } = scan;
  const name = text.slice(start, end);
  const strict = lastMatch(STRICT, name);
  const context =
    strict === null && POD_CONTEXT.test(text.slice(lineStart(text, start, 200), Math.min(text.length, end + 40)));
  const found = strict ?? (context ? (lastMatch(LOOSE, name) ?? lastMatch(DAEMON, name)) : null);
  if (found === null || !isDrawn(found, strict !== null, context) || NODE_PREFIX.test(name.slice(0, found.at))) return;
  if (found.at < 2 || !/^[a-z]/.test(name)) return;
  scan.add(start + found.at, start + found.at + found.suffix.length, "pod");
}

interface Suffix {
  readonly at: number;
  readonly suffix: string;
}

function lastMatch(pattern: RegExp, name: string): Suffix | null {
  pattern.lastIndex = 0;
  const match = pattern.exec(name);
  const suffix = match?.[1];
  return match === null || suffix === undefined ? null : { at: match.index + 1, suffix };
}

/** Words are not drawn by lot: a suffix holds a digit, or both parts lack a vowel. */
function isDrawn(found: Suffix, strict: boolean, context: boolean): boolean {
  const pieces = found.suffix.split("-");
  if (strict) return /\d/.test(found.suffix) || context || pieces.every((piece) => !/[aeiou]/.test(piece));
  return pieces.some((piece) => /\d/.test(piece) && /[a-z]/.test(piece));
}

const CONTAINER =
  /(?:(?:containerd|docker|cri-o|crio):\/\/|container[ _-]?id\W{1,24}|"Hostname": "|ContainerID:|container |Data:|cri-containerd-|docker-|container=)$/i;

/** A container's id behind `containerd://`, `Container ID`, `Hostname` of an inspect, or in a PLEG event. */
export function scanContainer(scan: ScanText, start: number, end: number): void {
  const { text } = scan;
  const length = end - start;
  if (length !== 64 && length !== 12 && length !== 13) return;
  if (CONTAINER.test(text.slice(Math.max(0, start - 32), start))) scan.add(start, end, "container");
}

const PROCESS_WORD =
  /(?:\bprocess |\bProcess-|\bthread |\bprocess id |进程号?\s?|進程號?\s?|\bkill (?:-\w+ )?|\bPID |\bpid |core\.|\bchild |\bworker process |process \()$/i;
const NUMBER = /\d{1,8}/y;

/** A process id that stands without `pid=`: `sshd[812]:`, `(pid:1)`, `123#123:`, `123/java`, `kill -9 123`. */
export function scanProcess(scan: ScanText, start: number, end: number): void {
  const { text } = scan;
  if (end - start > 8 || text[start] === "0") return;
  const next = text[end] ?? "";
  if (next === "#") {
    if (isNginxPair(text, start, end)) addPair(scan, start, end);
  } else if (isMarkedProcess(text, start, end, next) || isWordedProcess(text, start, end, next))
    scan.add(start, end, "pid");
}

function isMarkedProcess(text: string, start: number, end: number, next: string): boolean {
  if (next === " " && isLevelNeighbour(text, start, end)) return true;
  if (next === "]" && text[start - 1] === "#")
    return /\[[\d-]{10}T[\d:.]{8,16} #$/.test(text.slice(Math.max(0, start - 32), start));
  if (next === ":" && /^:[MSCX] \d\d [A-Z][a-z]{2} /.test(text.slice(end, end + 12))) return true;
  if (text[start - 1] === "[") return (next === "]" || next === ":") && isBracketed(text, start, end);
  return next === "/" && isSocketOwner(text, start, end);
}

/** Spring Boot's `INFO 18233 --- [main]`: the number between level and dashes. */
function isLevelNeighbour(text: string, start: number, end: number): boolean {
  return text.startsWith(" --- [", end) && /(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL) $/.test(text.slice(start - 6, start));
}

/** The last column of `netstat -p`. */
function isSocketOwner(text: string, start: number, end: number): boolean {
  if (!/\s/.test(text[start - 1] ?? "") || !/^[a-z][\w.-]{1,24}:?(?:\s|$)/.test(text.slice(end + 1, end + 28)))
    return false;
  return /\b(?:LISTEN|ESTABLISHED|TIME_WAIT|CLOSE_WAIT|tcp6?|udp6?)\b/.test(
    text.slice(lineStart(text, start, 160), start),
  );
}

function isWordedProcess(text: string, start: number, end: number, next: string): boolean {
  if (isWord(text.charCodeAt(end)) || next === "%") return false;
  const before = text.slice(Math.max(0, start - 18), start);
  return PROCESS_WORD.test(before) && !/tid|query id|connection/.test(before) && isProcessNumber(text, start, end);
}

/** A bare `thread 72327` is a kernel task; MySQL's thread ids and small worker numbers are not. */
function isProcessNumber(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  if (/thread $/.test(before)) return end - start >= 3 && /trace of thread $|task thread $/i.test(before);
  if (/Process-$/.test(before)) return true;
  return !/^\.\d/.test(text.slice(end, end + 2));
}

function isBracketed(text: string, start: number, end: number): boolean {
  if (text[end] === ":")
    return /^:[a-z][\w.-]{1,30}\]/.test(text.slice(end, end + 34)) && /\s|^$/.test(text[start - 2] ?? "");
  const after = text[end + 1] ?? "";
  const name = text[start - 2] ?? "";
  if (/[\w)/.-]/.test(name)) return after === ":" && isProcessName(text, start - 1);
  if (name === "" || name === "\n") return /^\] \d\d [A-Z][a-z]{2} (?:\d{4} )?\d\d:/.test(text.slice(end, end + 20));
  return (after === " " || after === ":") && (name === " " || name === "") && isPostgresLine(text, start, end);
}

/** Names of things that are counted in brackets. */
const INDEXED =
  /^(?:item|row|line|arg|list|arr|array|index|idx|param|parameter|col|column|element|elem|retry|attempt|try|step|stage|phase|shard|partition|slot|task|job|rank|gpu|cpu|core|page|block|chunk|batch|level|test|case|thread|queue|field|record|entry|event|message|msg|frame|layer|note|ref|fn|key|value|errors?|warnings?|sqlstate|errno|status|code|http|ora|info|warn|debug|trace)s?$/i;

/** The name before `[123]:` begins its word after a blank, as in a syslog line. */
function isProcessName(text: string, bracket: number): boolean {
  const name = /(?:^|[\s>])([A-Za-z_(][\w./@:()-]{0,47})$/.exec(text.slice(Math.max(0, bracket - 49), bracket))?.[1];
  if (name === undefined || INDEXED.test(name)) return false;
  return /\d\d/.test(text.slice(bracket + 1, bracket + 3)) || /^(?:init|systemd|launchd|kernel)$/.test(name);
}

/** `2026-05-01 10:02:11 UTC [37922] LOG:` */
function isPostgresLine(text: string, start: number, end: number): boolean {
  const before = text.slice(lineStart(text, start, 64), start - 1);
  return (
    /\d\d:\d\d:\d\d(?:[.,]\d{1,6})?(?: ?(?:[A-Z]{2,5}|[+-]\d\d:?\d\d|Z))? $/.test(before) &&
    /^\](?:\s|:)/.test(text.slice(end, end + 2))
  );
}

function isNginxPair(text: string, start: number, end: number): boolean {
  NUMBER.lastIndex = end + 1;
  return NUMBER.test(text) && text[NUMBER.lastIndex] === ":" && !isAlphanumeric(text.charCodeAt(start - 1));
}

function addPair(scan: ScanText, start: number, end: number): void {
  NUMBER.lastIndex = end + 1;
  NUMBER.test(scan.text);
  scan.add(start, end, "pid");
  scan.add(end + 1, NUMBER.lastIndex, "pid");
}

const KLOG = /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d{6} {1,8}(\d{1,8}) [\w.-]{1,60}:\d/;

/** The process column of a klog line. */
export function scanKlogHeader(scan: ScanText, start: number): void {
  const header = KLOG.exec(scan.text.slice(start, start + 110));
  if (header === null) return;
  const pid = header[1] as string;
  const at = start + header[0].indexOf(` ${pid} `) + 1;
  scan.add(at, at + pid.length, "pid");
}
