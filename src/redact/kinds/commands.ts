import { lineStart } from "../chars.ts";
import { isNoValue, isProse, isRandom } from "../plausible.ts";
import type { ScanText } from "../scan-text.ts";
import { PLAIN, readValue, type Value } from "../values.ts";
import { scanCookie } from "./headers.ts";

const LONG = /--?([A-Za-z][\w.-]{1,60})(?: {1,4}|["'],? ?(?=["']))/y;

/** A dash at the start of a word: `--password x`, `-p x`, `-pSecret`, `-u user:password`. */
export function scanFlag(scan: ScanText, at: number): void {
  const { text } = scan;
  const before = text[at - 1] ?? " ";
  if (!/[\s"'[,(`]/.test(before)) return;
  LONG.lastIndex = at;
  const long = LONG.exec(text);
  if (long !== null && (text[at + 1] === "-" || scan.keys.classOf(long[1] as string) !== null)) {
    scanLongFlag(scan, at, long);
    return;
  }
  scanShortFlag(scan, at);
}

function scanLongFlag(scan: ScanText, at: number, long: RegExpExecArray): void {
  const name = long[1] as string;
  const value = readArgument(scan.text, at + long[0].length);
  if (value === null) return;
  const content = scan.text.slice(value.start, value.end);
  const found = scan.keys.classOf(name);
  if (name === "user" || name === "proxy-user" || name === "creds") addUserPassword(scan, value, content);
  else if (found?.role === "cookie") scanCookie(scan, at + long[0].length);
  else if (found?.role === "secret" && found.kind !== "otp" && !isUsage(scan.text, at, content, name)) {
    if (found.strength !== "random" || isRandom(content)) scan.add(value.start, value.end, found.kind);
  }
}

function readArgument(text: string, from: number): Value | null {
  if (text[from] === "-" || text[from] === "<" || text[from] === "[") return null;
  return readValue(text, from, PLAIN);
}

/** `[--token TOKEN]`, `-p password`: the help names the argument instead of giving one. */
function isUsage(text: string, at: number, content: string, name: string): boolean {
  if (isNoValue(content) || (isProse(content) && content.length < 12)) return true;
  if (text[at - 1] === "[" && text[at - 2] !== "\\" && !/["']/.test(text.slice(at - 1, at + 1))) return true;
  if (/^[A-Z][A-Z_]*$/.test(content) && name.toUpperCase().replaceAll("-", "_").includes(content)) return true;
  return content.toLowerCase() === name.toLowerCase() && /usage/i.test(text.slice(lineStart(text, at, 200), at));
}

function addUserPassword(scan: ScanText, value: Value, content: string): void {
  const password = /^[^:%\s]{1,80}[:%](.{3,})$/.exec(content)?.[1];
  if (password === undefined || isNoValue(password) || password.includes("://") || password.startsWith("//")) return;
  scan.add(value.end - password.length, value.end, "pw");
}

interface ShortFlags {
  readonly command: RegExp;
  /** Flags whose argument is a secret. */
  readonly secret: string;
  /** Flags whose argument is `user:password`. */
  readonly pair: string;
  /** Flags with the secret glued to them. */
  readonly glued: string;
}
const COMMANDS: readonly ShortFlags[] = [
  {
    command: /\b(?:mysql\w*|mariadb[\w-]*|mysqldump|mysqladmin|mysqlsh|xtrabackup|innobackupex|mydumper|pt-[\w-]+)\b/,
    secret: "",
    pair: "",
    glued: "p",
  },
  {
    command:
      /\b(?:sshpass|docker login|podman login|helm registry login|az login|az acr login|oc login|cf login|beeline|mongo(?:sh|dump|restore|export|import)?|zabbix\w*|influx|nexus|skopeo|buildah|crane auth|cqlsh)\b/,
    secret: "p",
    pair: "u",
    glued: "",
  },
  { command: /\b(?:redis-cli|redis-benchmark|memcached|valkey-cli|keydb-cli)\b/, secret: "a", pair: "", glued: "a" },
  { command: /\bldap(?:search|modify|add|delete|passwd|whoami|compare)\b/, secret: "w", pair: "", glued: "w" },
  {
    command: /\b(?:curl|wget|http|https|httpie|aria2c|xh|svn|smbclient|rclone|kcat|ab)\b/,
    secret: "",
    pair: "auUx",
    glued: "u",
  },
  {
    command:
      /\b(?:sqlcmd|bcp|tsql|isql|osql|mosquitto_(?:pub|sub)|ipmitool|db2|impacket\w*|wmic|winexe|zip|unzip|rar|lftp|ncftp\w*)\b/,
    secret: "P",
    pair: "u",
    glued: "P",
  },
  { command: /\bsnmp(?:walk|get|set|bulkwalk|bulkget|trap|table|inform)\b/, secret: "cAX", pair: "", glued: "c" },
  { command: /\bssh-keygen\b/, secret: "NP", pair: "", glued: "" },
  { command: /\bopenssl\b/, secret: "k", pair: "", glued: "" },
  { command: /\b7za?\b/, secret: "", pair: "", glued: "p" },
  { command: /\b(?:plink|pscp|psftp|rdesktop|xfreerdp)\b/, secret: "pw", pair: "", glued: "" },
];

function scanShortFlag(scan: ScanText, at: number): void {
  const { text } = scan;
  const flag = text[at + 1] ?? "";
  if (!/[ackpuwxANPUX]/.test(flag)) return;
  const line = text.slice(lineStart(text, at, 240), at);
  const command = COMMANDS.find((candidate) => candidate.command.test(line));
  if (command === undefined) return;
  const gap = /^(?: |["'],? ?(?=["']))/.exec(text.slice(at + 2, at + 6))?.[0];
  if (gap !== undefined) scanSeparated(scan, at, at + 2 + gap.length, command);
  else if (command.glued.includes(flag)) scanGlued(scan, at + 2, flag);
}

function scanSeparated(scan: ScanText, at: number, from: number, command: ShortFlags): void {
  const flag = scan.text[at + 1] as string;
  const value = readArgument(scan.text, from);
  if (value === null) return;
  const content = scan.text.slice(value.start, value.end);
  if (command.pair.includes(flag)) addUserPassword(scan, value, content);
  const isPort = flag === "p" && /^\d{2,5}$/.test(content);
  if (command.secret.includes(flag) && !isPort && !isUsage(scan.text, at, content, flag))
    scan.add(value.start, value.end, "pw");
}

function scanGlued(scan: ScanText, from: number, flag: string): void {
  const value = readValue(scan.text, from, PLAIN);
  if (value === null || value.start > from + 2) return;
  const content = scan.text.slice(value.start, value.end);
  if (flag === "u") {
    addUserPassword(scan, value, content);
    return;
  }
  if (content.length >= 3 && !isNoValue(content) && !/^[a-z]+$/.test(content.length < 6 ? content : ""))
    scan.add(value.start, value.end, "pw");
}

const SQLPLUS =
  /\b(?:sqlplus|rman|exp|imp|expdp|impdp|sqlldr|tnsping|userid=|connect|conn|jdbc:oracle:\w{1,8}:)[^\n]{0,60}$/i;

/** `sqlplus user/"password"@//host`: an Oracle login. `at` is the slash. */
export function scanOracleLogin(scan: ScanText, at: number): void {
  const { text } = scan;
  const found = /^\/(?:\\{0,8}"([^"\\\n]{1,64})\\{0,8}"|([^\s@/"']{1,64}))@(?:\/\/)?[\w"(]/.exec(
    text.slice(at, at + 90),
  );
  if (found === null || !/[\w"]/.test(text[at - 1] ?? "")) return;
  if (!found[0].includes("@//") && !SQLPLUS.test(text.slice(Math.max(0, at - 90), at))) return;
  const password = (found[1] ?? found[2]) as string;
  const start = text.indexOf(password, at + 1);
  scan.add(start, start + password.length, "pw");
}
