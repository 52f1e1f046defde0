import { LIMITS } from "./limits.ts";
import type { ParsedExpression, ParsedQuery } from "./parsed.ts";
import { reject } from "./rejection.ts";
import type { Token } from "./token.ts";
import { OTHER_STATEMENTS, REFUSED_CLAUSES, RESERVED } from "./words.ts";

/** The rules of the grammar that contain each other; modules reach them through the cursor. */
export interface Grammar {
  expression(cursor: Cursor): ParsedExpression;
  /** Arithmetic and tighter: an operand, where a keyword such as IN or AND belongs to the form around it. */
  arithmetic(cursor: Cursor): ParsedExpression;
  query(cursor: Cursor): ParsedQuery;
}

/** A place in the tokens, with what bounds the descent. */
export class Cursor {
  readonly grammar: Grammar;
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  readonly #closing: ReadonlyMap<number, number>;
  readonly #maxDepth: number;
  #position = 0;
  #depth = 0;
  #relations = 0;

  constructor(tokens: readonly Token[], grammar: Grammar, maxDepth: number) {
    this.#tokens = tokens;
    this.#end = tokens.at(-1) ?? reject("SQL_SYNTAX", 0, "an empty statement");
    this.#closing = closingParentheses(tokens);
    this.grammar = grammar;
    this.#maxDepth = Math.min(maxDepth, LIMITS.depth);
  }

  peek(ahead = 0): Token {
    return this.#tokens[this.#position + ahead] ?? this.#end;
  }

  next(): Token {
    const token = this.peek();
    this.#position++;
    return token;
  }

  /** Whether the next tokens are these words or symbols. */
  sees(first: string, ...rest: readonly string[]): boolean {
    if (this.peek().text !== first) return false;
    for (let i = 0; i < rest.length; i++) if (this.peek(i + 1).text !== rest[i]) return false;
    return true;
  }

  seesAny(texts: ReadonlySet<string> | readonly string[]): boolean {
    const { text } = this.peek();
    return text !== "" && (Array.isArray(texts) ? texts.includes(text) : (texts as ReadonlySet<string>).has(text));
  }

  /** Takes the words or symbols if they come next. */
  take(first: string, ...rest: readonly string[]): boolean {
    if (!this.sees(first, ...rest)) return false;
    this.#position += rest.length + 1;
    return true;
  }

  takeAny<T extends string>(texts: readonly T[]): T | undefined {
    const found = texts.indexOf(this.peek().text as T);
    if (found >= 0) this.#position++;
    return texts[found];
  }

  expect(first: string, ...rest: readonly string[]): void {
    if (!this.take(first, ...rest)) this.unexpected(`expected ${[first, ...rest].join(" ")}`);
  }

  /** A name: in back-ticks, or a word that is not reserved. */
  name(what: string): string {
    const token = this.peek();
    if (!this.seesName()) this.unexpected(`expected ${what}`);
    this.#position++;
    return token.value;
  }

  seesName(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "quoted" || (token.kind === "word" && !RESERVED.has(token.text));
  }

  /** The last part of a qualified name may be any word. */
  nameAfterDot(): string {
    const token = this.next();
    if (token.kind !== "quoted" && token.kind !== "word") this.unexpected("expected a name after the dot", token);
    return token.value;
  }

  string(what: string): string {
    const token = this.next();
    if (token.kind !== "string") this.unexpected(`expected ${what}`, token);
    return token.value;
  }

  /** Runs one nested rule, one level deeper. */
  nested<T>(rule: () => T): T {
    this.#depth++;
    if (this.#depth > this.#maxDepth) reject("SQL_TOO_COMPLEX", this.peek().at, "nested too deeply");
    const result = rule();
    this.#depth--;
    return result;
  }

  /** Counts a table of any kind; there may be only so many in a whole statement. */
  countRelation(): void {
    this.#relations++;
    if (this.#relations > LIMITS.relationsInAll) reject("SQL_TOO_COMPLEX", this.peek().at, "too many tables");
  }

  /** Items separated by commas. */
  list<T>(item: () => T, most: number): T[] {
    const items = [item()];
    while (this.take(",")) {
      if (items.length >= most) reject("SQL_TOO_COMPLEX", this.peek().at, "too many items in a list");
      items.push(item());
    }
    return items;
  }

  /** Whether a parenthesis at this place opens a query rather than an expression or a join. */
  opensQuery(ahead = 0): boolean {
    let at = this.#position + ahead;
    if (this.#tokens[at]?.text !== "(") return false;
    for (;;) {
      const inner = this.#tokens[at + 1];
      if (inner?.text !== "(") return inner?.text === "SELECT" || inner?.text === "WITH" || isQueryWord(inner);
      const behind = this.#tokens[(this.#closing.get(at + 1) ?? at) + 1]?.text ?? "";
      if (!CONTINUES_QUERY.has(behind)) return false;
      at++;
    }
  }

  unexpected(detail: string, token: Token = this.peek()): never {
    if (token.kind === "word" && REFUSED_CLAUSES.has(token.text)) {
      reject("SQL_CLAUSE", token.at, `${token.text} is not available`);
    }
    if (token.kind === "word" && OTHER_STATEMENTS.has(token.text)) {
      reject("SQL_STATEMENT", token.at, "only SELECT is allowed");
    }
    if (token.text === ";") reject("SQL_STATEMENT", token.at, "only one statement is allowed");
    return reject("SQL_SYNTAX", token.at, token.kind === "end" ? `${detail}, but the statement ends` : detail);
  }
}

const CONTINUES_QUERY: ReadonlySet<string> = new Set(["UNION", "EXCEPT", "INTERSECT", "ORDER", "LIMIT", ")"]);

/** VALUES and TABLE open a query for a server; taken as one here, they are refused by name. */
function isQueryWord(token: Token | undefined): boolean {
  return token?.kind === "word" && (token.text === "VALUES" || token.text === "TABLE");
}

function closingParentheses(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, index) => {
    if (token.text === "(") open.push(index);
    if (token.text !== ")") return;
    const opened = open.pop();
    if (opened !== undefined) closing.set(opened, index);
  });
  return closing;
}
