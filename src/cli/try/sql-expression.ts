import { isWord, type SqlToken } from "./sql-token.ts";

const MAX_DEPTH = 64;

/** Splits at a mark that stands outside of parentheses. */
export function splitAt(tokens: readonly SqlToken[], mark: string): readonly (readonly SqlToken[])[] {
  const parts: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "mark" && token.text === "(") depth++;
    if (token.kind === "mark" && token.text === ")") depth--;
    if (depth === 0 && token.kind === "mark" && token.text === mark) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** One text for all spellings of an expression: operands of AND, OR and IN in one order, superfluous parentheses gone. */
export function canonicalExpression(tokens: readonly SqlToken[]): string {
  return new Expression(tokens).whole().text;
}

/** The conditions that all must hold. */
export function conjuncts(tokens: readonly SqlToken[]): readonly string[] {
  const whole = new Expression(tokens).whole();
  return whole.word === "and" ? whole.operands : [whole.text];
}

interface Node {
  readonly text: string;
  /** A chain keeps its operands, so that a chain within a chain of the same word can be flattened. */
  readonly word?: "and" | "or";
  readonly operands: readonly string[];
}

const leaf = (text: string): Node => ({ text, operands: [text] });

/** Recursive descent over OR, AND, NOT and predicates; a predicate is kept as its tokens. */
class Expression {
  readonly #tokens: readonly SqlToken[];
  #at = 0;

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens;
  }

  /** What cannot be read as an expression stays as it stands, so that nothing is lost. */
  whole(): Node {
    const node = this.#list(0);
    const rest = this.#tokens.slice(this.#at);
    return rest.length === 0 ? node : leaf(`${node.text} ? ${rest.map((token) => token.text).join(" ")}`);
  }

  #list(depth: number): Node {
    const members = [this.#any(depth)];
    while (this.#isMark(",")) {
      this.#at++;
      members.push(this.#any(depth));
    }
    const [only] = members;
    return members.length === 1 && only !== undefined ? only : leaf(members.map((member) => member.text).join(","));
  }

  #any(depth: number): Node {
    return this.#chain("or", () => this.#chain("and", () => this.#not(depth)));
  }

  #chain(word: "or" | "and", operand: () => Node): Node {
    const nodes = [operand()];
    while (isWord(this.#peek(), word)) {
      this.#at++;
      nodes.push(operand());
    }
    const [only] = nodes;
    if (nodes.length === 1 && only !== undefined) return only;
    const flat = nodes.flatMap((node) => (node.word === word ? node.operands : [node.text]));
    const operands = [...new Set(flat)].sort();
    const [single] = operands;
    if (operands.length === 1 && single !== undefined) return leaf(single);
    return { text: `(${operands.join(` ${word} `)})`, word, operands };
  }

  #not(depth: number): Node {
    if (!isWord(this.#peek(), "not") || depth > MAX_DEPTH) return this.#predicate(depth);
    this.#at++;
    return leaf(`(not ${this.#not(depth + 1).text})`);
  }

  #predicate(depth: number): Node {
    const parts: string[] = [];
    const open = { between: 0, cases: 0 };
    let alone: Node | null = null;
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      if (this.#isMark(")") || this.#isMark(",") || endsPredicate(token, open)) break;
      const group: Node | null = this.#isMark("(") ? this.#group(parts.at(-1), depth) : null;
      alone = parts.length === 0 ? group : null;
      parts.push(group === null ? this.#take(token) : bracketed(group, parts.at(-1)));
    }
    return alone ?? leaf(parts.join(" "));
  }

  /** After IN a set, after a name its arguments, alone just a grouping. */
  #group(before: string | undefined, depth: number): Node {
    this.#at++;
    if (depth > MAX_DEPTH) return leaf("(");
    const inside = this.#list(depth + 1);
    if (this.#isMark(")")) this.#at++;
    return before === "in" ? leaf([...new Set(inside.text.split(","))].sort().join(",")) : inside;
  }

  #take(token: SqlToken): string {
    this.#at++;
    return token.kind === "text" ? JSON.stringify(token.text).replaceAll(",", "\\u002c") : token.text;
  }

  #peek(): SqlToken | undefined {
    return this.#tokens[this.#at];
  }

  #isMark(mark: string): boolean {
    const token = this.#peek();
    return token?.kind === "mark" && token.text === mark;
  }
}

const bracketed = (group: Node, before: string | undefined): string =>
  before === "in" ? `{${group.text}}` : `(${group.text})`;

/** The AND of BETWEEN and those inside CASE belong to the predicate. Counts both as they open and close. */
function endsPredicate(token: SqlToken, open: { between: number; cases: number }): boolean {
  if (isWord(token, "case")) open.cases++;
  else if (isWord(token, "end") && open.cases > 0) open.cases--;
  else if (open.cases > 0) return false;
  else if (isWord(token, "between")) open.between++;
  else if (isWord(token, "and") && open.between > 0) open.between--;
  else return isWord(token, "and", "or");
  return false;
}
