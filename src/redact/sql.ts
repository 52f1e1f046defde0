import { indexWithin, isDigit, isSpace, isWord } from "./chars.ts";
import { isBankCard, isIdCard, isPhone } from "./kinds/people.ts";
import type { IdentifierKind } from "./policy.ts";
import type { ScanText } from "./scan-text.ts";

const MAX_STATEMENT = 16_384;
const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Words that may go on with a statement after a literal; any other word there ends it. */
const CONTINUES = words(
  "and or xor not order group having limit offset union on as asc desc by for from where when then else end in is null between like regexp rlike " +
    "ilike similar escape collate interval values set join inner left right full cross natural using returning into select insert update delete " +
    "div mod window over partition fetch with lock share nowait skip locked straight_join force use ignore index separator using distinct all exists",
);
/** Numbers after these count rows; they name nobody. */
const COUNTS = words("limit offset top fetch first next rows");
const STARTS =
  /^(?:select\s[^;]{1,400}?\sfrom\s+[\w`"[(]|select\s+[\w.]+\(|with\s+(?:recursive\s+)?\w+\s*(?:\([^)]{0,200}\)\s*)?as\s*\(|insert\s+(?:ignore\s+)?into\s|replace\s+into\s|update\s+[\w`".[\]]+\s+(?:\w+\s+)?set\s|delete\s+from\s|merge\s+into\s|values\s*\(|where\s+[\w`".]+\s*(?:=(?!=)|<|>|!|in\b|like\b|between\b)|(?:call|exec|execute)\s+[\w.]+\s*(?:\((?=\s*['\d@:?N])|@\w)|set\s+[\w`".]+\s*=\s*['\d])/i;

/** First words of statements and of the clauses that hold literals, in lower case. */
export const SQL_WORDS: ReadonlySet<string> = words(
  "select insert update delete replace merge with where values call exec",
);

interface Position {
  at: number;
  /** The last word, in lower case. */
  word: string;
  /** An operand may follow: after an operator, a bracket of a list, a comma in it. */
  operand: boolean;
  afterLiteral: boolean;
  /** The word before named a procedure: a list of its arguments may follow. */
  isCall: boolean;
  /** Double quotes were seen around a name, so they hold no strings. */
  isAnsi: boolean;
  /** The AND of a BETWEEN is still to come. */
  between: boolean;
  /** Whether each open bracket holds a list of values. */
  readonly lists: boolean[];
}

/** A statement, or a clause of one, begins at `at`: its literals. */
export function scanStatement(scan: ScanText, at: number): void {
  const { text } = scan;
  if (at < scan.statementEnd || /[.\w$@/-]/.test(text[at - 1] ?? "") || !STARTS.test(text.slice(at, at + 480))) return;
  const end = Math.min(text.length, at + MAX_STATEMENT);
  const position: Position = {
    at,
    word: "",
    operand: false,
    afterLiteral: false,
    between: false,
    isCall: false,
    isAnsi: false,
    lists: [],
  };
  while (position.at < end && step(scan, position)) {}
  scan.statementEnd = position.at;
}

function step(scan: ScanText, position: Position): boolean {
  const { text } = scan;
  const code = text.charCodeAt(position.at);
  if (code === 0x0a) return lineBreak(text, position);
  if (isSpace(code)) position.at++;
  else if (code === 0x27 || (code === 0x22 && position.operand && !position.isAnsi))
    return stringLiteral(scan, position, code);
  else if (isDigit(code)) return numberLiteral(scan, position);
  else if (isWord(code)) return word(text, position);
  else return sign(text, position);
  return true;
}

const CONTINUED =
  /^\n(?:[ \t]*(?:[(),]|(?:select|from|where|and|or|order|group|limit|set|values|inner|left|right|join|on|having|union|when|case|end)\b)|[ \t]+[\w`".]+\s*(?:[,=<>]|$|\n|(?:as|in|is|like)\b))/i;

/** A statement goes on in the next line when that begins with a word of SQL, or is indented and looks like a column. */
function lineBreak(text: string, position: Position): boolean {
  if (!CONTINUED.test(text.slice(position.at, position.at + 80))) return false;
  position.at++;
  return true;
}

const OPERAND_AFTER = words("like ilike between in then else when regexp rlike");

function word(text: string, position: Position): boolean {
  let end = position.at;
  while (isWord(text.charCodeAt(end)) || text[end] === "." || text[end] === "$") end++;
  const found = text.slice(position.at, end).toLowerCase();
  if (position.afterLiteral && position.lists.length === 0 && !CONTINUES.has(found)) return false;
  const between = position.between && found === "and";
  position.at = end;
  position.isCall = position.word === "call" || position.word === "exec" || position.word === "execute";
  position.word = found;
  position.between = found === "between";
  position.operand = between || OPERAND_AFTER.has(found);
  position.afterLiteral = false;
  return true;
}

function sign(text: string, position: Position): boolean {
  const mark = text[position.at] as string;
  if (mark === "`" || mark === '"') return quotedName(text, position, mark);
  if (mark === ";" || mark === "{" || mark === "}" || mark.charCodeAt(0) > 0x7f) return false;
  position.at++;
  switch (mark) {
    case "(":
      return openBracket(position);
    case ")":
      return closeBracket(position);
    case ",":
      position.operand = position.lists.at(-1) === true;
      position.afterLiteral = false;
      return true;
    case "=":
      if (position.afterLiteral) return false;
      position.operand = true;
      return true;
    default:
      position.operand = "<>!+-*/|".includes(mark) || (mark === ":" && position.operand);
      return true;
  }
}

/** A list of values opens behind VALUES, IN, an operator, a comma of another list or a function's name inside one. */
function openBracket(position: Position): boolean {
  const inList = position.lists.at(-1) === true;
  const isList =
    position.isCall ||
    position.word === "values" ||
    position.word === "in" ||
    position.word === "" ||
    inList ||
    position.operand;
  position.lists.push(isList);
  position.operand = isList;
  position.afterLiteral = false;
  return true;
}

function closeBracket(position: Position): boolean {
  const wasList = position.lists.pop();
  if (wasList === undefined) return false;
  position.operand = false;
  position.afterLiteral = position.lists.length === 0 && wasList;
  if (wasList && position.lists.length === 0) position.word = "";
  return true;
}

function quotedName(text: string, position: Position, mark: string): boolean {
  const close = indexWithin(text, mark, position.at + 1, 132);
  if (close < 0 || close - position.at > 130) return false;
  position.at = close + 1;
  position.isAnsi ||= mark === '"';
  position.operand = false;
  position.afterLiteral = false;
  return true;
}

function stringLiteral(scan: ScanText, position: Position, quote: number): boolean {
  const { text } = scan;
  const start = position.at + 1;
  let end = start;
  const stop = Math.min(text.length, start + 4096);
  while (end < stop && text.charCodeAt(end) !== 0x0a) {
    const code = text.charCodeAt(end);
    if (code === 0x5c) end++;
    else if (code === quote && text.charCodeAt(end + 1) === quote) end++;
    else if (code === quote) break;
    end++;
  }
  const isFormat = position.word === "interval" || position.word === "date_format" || position.word === "as";
  if (!isFormat) addLiteral(scan, start, Math.min(end, text.length));
  position.at = end + 1;
  position.operand = false;
  position.afterLiteral = true;
  return text.charCodeAt(end) === quote;
}

function numberLiteral(scan: ScanText, position: Position): boolean {
  const { text } = scan;
  const start = position.at;
  let end = start;
  while (isWord(text.charCodeAt(end)) || text[end] === ".") end++;
  const isNumber = /^\d+(?:\.\d+)?$/.test(text.slice(start, end));
  if (!position.operand && position.afterLiteral && position.lists.length === 0) return false;
  if (isNumber && position.operand && !COUNTS.has(position.word)) addLiteral(scan, start, end);
  position.at = end;
  position.operand = false;
  position.afterLiteral = isNumber;
  return true;
}

const ENUM_LIKE = /^(?:[A-Z][A-Z_]{1,24}|[YNyn01]|true|false|null)$/;
const TIME = /^\d{4}-\d\d(?:-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/;

/** A literal under the kind its content has of its own, so that a telephone number has one alias in and out of SQL. */
export function addLiteral(scan: ScanText, start: number, end: number): void {
  const content = scan.text.slice(start, end);
  if (
    content.trim() === "" ||
    TIME.test(content) ||
    content === "%s" ||
    /^[?:@]\w*$/.test(content) ||
    content.includes("[[")
  )
    return;
  if (ENUM_LIKE.test(content)) return;
  scan.add(start, end, kindOfLiteral(content));
}

/** The identifier a whole literal is, `sql` for any other. */
function kindOfLiteral(content: string): IdentifierKind {
  if (isPhone(content, false)) return "phone";
  if (isIdCard(content)) return "idcard";
  if (/^[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,6}[A-Za-z]{2,24}$/.test(content)) return "email";
  if (/^(?:\d{1,3}\.){3}\d{1,3}$/.test(content)) return "ip";
  return content.length >= 16 && isBankCard(content) ? "bankcard" : "sql";
}
