/** A right, with the columns it is limited to. */
export interface GrantedRight {
  readonly right: string;
  readonly columns: readonly string[] | null;
}

/** A line of SHOW GRANTS. `other` is what is not understood, and what gives more than rights. */
export type Grant =
  | {
      readonly kind: "rights";
      readonly rights: readonly GrantedRight[];
      /** Null: everywhere. */
      readonly schema: string | null;
      /** Null: the whole schema. */
      readonly table: string | null;
      readonly routine: boolean;
      readonly grantable: boolean;
    }
  | { readonly kind: "roles"; readonly roles: readonly string[]; readonly grantable: boolean }
  | { readonly kind: "nothing" }
  | { readonly kind: "other" };

interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

const TOKEN = /`((?:[^`]|``)*)`|'((?:[^'\\]|''|\\.)*)'|([A-Za-z0-9_$-]+)|(\S)/gsu;
const ROUTINES: ReadonlySet<string> = new Set(["FUNCTION", "PROCEDURE", "PACKAGE", "LIBRARY"]);

/** Reads one line of SHOW GRANTS of MySQL or MariaDB. Pure; what it cannot read is `other`. */
export function parseGrant(line: string): Grant {
  const tokens = tokensOf(line);
  const at = (index: number): string => wordOf(tokens[index]);
  // what only takes away, or only says which roles are active from the start
  if (at(0) === "REVOKE" || (at(0) === "SET" && at(1) === "DEFAULT" && at(2) === "ROLE")) return { kind: "nothing" };
  if (at(0) !== "GRANT") return { kind: "other" };
  const to = tokens.findIndex((token) => wordOf(token) === "TO");
  const on = tokens.findIndex((token, i) => i < to && wordOf(token) === "ON");
  if (to < 0) return { kind: "other" };
  const tail = tokens.slice(to).map(wordOf).join(" ");
  const grantable = /\bWITH (?:GRANT|ADMIN) OPTION\b/.test(tail) || /\bGRANT OPTION\b/.test(tail);
  if (on < 0) return roles(tokens.slice(1, to), grantable);
  const rights = rightsIn(tokens.slice(1, on));
  const place = placeOf(tokens.slice(on + 1, to));
  if (rights === null || place === null || rights.some(({ right }) => right === "PROXY")) return { kind: "other" };
  return { kind: "rights", rights, ...place, grantable };
}

function tokensOf(line: string): readonly Token[] {
  return [...line.matchAll(TOKEN)].map(([, name, text, word, sign]) => {
    if (name !== undefined) return { text: name.replaceAll("``", "`"), quoted: true };
    if (text !== undefined) return { text: text.replaceAll("''", "'"), quoted: true };
    return { text: word ?? sign ?? "", quoted: false };
  });
}

/** A word of the grammar in upper case; empty for a name. */
function wordOf(token: Token | undefined): string {
  return token === undefined || token.quoted ? "" : token.text.toUpperCase();
}

/** Role names with a host each on MySQL, without one on MariaDB. */
function roles(tokens: readonly Token[], grantable: boolean): Grant {
  const names: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (wordOf(tokens[i]) === ",") continue;
    const name = tokens[i]?.text ?? "";
    const hasHost = wordOf(tokens[i + 1]) === "@";
    names.push(name);
    if (hasHost) i += 2;
  }
  return names.length === 0 ? { kind: "other" } : { kind: "roles", roles: names, grantable };
}

/** Rights between commas; null when one of them cannot be read. */
function rightsIn(tokens: readonly Token[]): readonly GrantedRight[] | null {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    const word = wordOf(token);
    if (word === "(") depth++;
    if (word === ")") depth--;
    if (word === "," && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  const rights = parts.map(rightOf);
  return rights.some((right) => right === null) ? null : rights.filter((right) => right !== null);
}

/** Words, then perhaps columns in parentheses. */
function rightOf(tokens: readonly Token[]): GrantedRight | null {
  const open = tokens.findIndex((token) => wordOf(token) === "(");
  const words = (open < 0 ? tokens : tokens.slice(0, open)).map(wordOf);
  if (words.length === 0 || words.includes("")) return null;
  const right = words.join(" ");
  if (open < 0) return { right, columns: null };
  if (wordOf(tokens.at(-1)) !== ")") return null;
  const columns = tokens.slice(open + 1, -1).filter((token) => wordOf(token) !== ",");
  return { right, columns: columns.map(({ text }) => text) };
}

type Place = Pick<Extract<Grant, { kind: "rights" }>, "schema" | "table" | "routine">;

function placeOf(tokens: readonly Token[]): Place | null {
  const routine = ROUTINES.has(wordOf(tokens[0]));
  const dot = tokens.findIndex((token) => wordOf(token) === ".");
  const [schema, table] = [tokens[dot - 1], tokens[dot + 1]];
  if (dot < 1 || schema === undefined || table === undefined || tokens.length !== dot + 2) return null;
  if (dot > 1 && !routine && wordOf(tokens[0]) !== "TABLE") return null;
  const name = (token: Token): string | null => (wordOf(token) === "*" ? null : token.text);
  return { schema: name(schema), table: name(table), routine };
}
