export interface SqlToken {
  /** `text` is a string literal of either quote; words are lower case. */
  readonly kind: "word" | "number" | "text" | "mark";
  readonly text: string;
}

const SPACE = /[\s\u0000]+/y;
const COMMENT = /--(?=\s|$)[^\n]*|#[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y;
const WORD = /[\p{L}_$@][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const MARK = /<=>|<>|!=|>=|<=|:=|&&|\|\||[^\s]/uy;

/** Words in lower case, literals as they are, comments and a last semicolon gone. Null when a literal or name does not end. */
export function tokenizeSql(sql: string): readonly SqlToken[] | null {
  const tokens: SqlToken[] = [];
  let at = 0;
  while (at < sql.length) {
    const skipped = match(SPACE, sql, at) ?? match(COMMENT, sql, at);
    const read = skipped === null ? readToken(sql, at) : { token: null, end: at + skipped.length };
    if (read === null) return null;
    if (read.token !== null) tokens.push(read.token);
    at = read.end;
  }
  while (tokens.at(-1)?.text === ";" && tokens.at(-1)?.kind === "mark") tokens.pop();
  return tokens;
}

export function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === "word" && words.includes(token.text);
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function readToken(sql: string, at: number): { token: SqlToken; end: number } | null {
  const first = sql[at] ?? "";
  if (first === "'" || first === '"' || first === "`") return readQuoted(sql, at, first);
  const number = match(NUMBER, sql, at);
  if (number !== null) return { token: { kind: "number", text: number.toLowerCase() }, end: at + number.length };
  const word = match(WORD, sql, at);
  if (word !== null) return { token: { kind: "word", text: word.toLowerCase() }, end: at + word.length };
  const mark = match(MARK, sql, at) ?? first;
  return { token: symbol(mark), end: at + mark.length };
}

function symbol(mark: string): SqlToken {
  if (mark === "&&") return { kind: "word", text: "and" };
  if (mark === "||") return { kind: "word", text: "or" };
  return { kind: "mark", text: mark === "!=" ? "<>" : mark };
}

const QUOTED = {
  "'": /'((?:[^'\\]|\\.|'')*)'/sy,
  '"': /"((?:[^"\\]|\\.|"")*)"/sy,
  "`": /`((?:[^`]|``)*)`/y,
} as const;

/** A doubled quote stands for one; back-slashes stay as they are. */
function readQuoted(sql: string, start: number, quote: keyof typeof QUOTED): { token: SqlToken; end: number } | null {
  const pattern = QUOTED[quote];
  pattern.lastIndex = start;
  const found = pattern.exec(sql);
  if (found === null) return null;
  const text = (found[1] ?? "").replaceAll(quote + quote, quote);
  const token: SqlToken = quote === "`" ? { kind: "word", text: named(text.toLowerCase()) } : { kind: "text", text };
  return { token, end: start + found[0].length };
}

const RESERVED = new Set(
  "select from where group having order limit by as and or not in between case end join inner left right cross on using distinct all".split(
    " ",
  ),
);

/** A quoted name that is a key word keeps its quotes, so that it is not taken for one. */
function named(name: string): string {
  return RESERVED.has(name) ? `\`${name}\`` : name;
}
