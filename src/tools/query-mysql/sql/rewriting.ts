import { FUNCTIONS } from "./functions.ts";
import type { ResolvedExpression } from "./resolved.ts";
import type { CastNode } from "./syntax.ts";

type Call = Extract<ResolvedExpression, { readonly kind: "call" }>;
type Cast = Extract<ResolvedExpression, CastNode<unknown, unknown>>;

const TEXT_TYPES = new Set(["CHAR", "NCHAR", "VARCHAR", "BINARY", "JSON", "USING"]);

/**
 * Whether a value may be text that was cut, joined, reordered, encoded or replaced on its way from the columns. Such text is shown
 * with more care: a redactor knows a secret by what stands around it, and a statement can leave that out.
 *
 * Numbers, times and truths are shown as they are, and so is which rows a filter finds. So a text can still be asked piece by piece,
 * in many answers: by LIKE, REGEXP, LOCATE, SUBSTR, comparison or order in WHERE and HAVING (`title LIKE '%password=L%'`), by
 * `LOCATE('L', title)` or `ASCII(SUBSTR(title, 26, 1))` in the select list. Every honest search in a text works like that as well, and
 * a statement alone does not tell the two apart; a column that must not be asked belongs in `sensitiveColumns` of the policy.
 */
export function rewritesText(node: ResolvedExpression): boolean {
  switch (node.kind) {
    case "column":
      return node.column.rewritten;
    case "call":
      return callRewrites(node);
    case "cast":
      return castRewrites(node);
    case "case":
      return node.operands.some(rewritesText);
    case "operation":
      return (node.operator === "BINARY" || node.operator === "COLLATE") && node.operands.some(rewritesText);
    case "query":
      return node.form === "scalar" && node.query.outputs.some(({ rewritten }) => rewritten);
    default:
      return false;
  }
}

function callRewrites(call: Call): boolean {
  // TRIM of blanks alone keeps a text; TRIM of a word can cut off what names a secret.
  const text = call.name === "TRIM" && call.operands.length === 1 ? "kept" : FUNCTIONS.get(call.name)?.text;
  if (text === "none") return false;
  return call.operands.some(text === "kept" ? rewritesText : readsColumn);
}

/** A length cuts. */
function castRewrites({ target, operands }: Cast): boolean {
  if (!TEXT_TYPES.has(target.type)) return false;
  return operands.some(target.length === undefined ? rewritesText : readsColumn);
}

function readsColumn(node: ResolvedExpression): boolean {
  if (node.kind === "column" || node.kind === "query") return true;
  return "operands" in node && node.operands.some(readsColumn);
}

const MEMBER = /\.\s{0,8}(?:"([^"]{1,64})"|([\p{L}_$][\p{L}\p{N}_$]{0,63}))/gu;

/** The names of the members on a JSON path; none for a text that is no path. */
export function membersOfPath(path: string): readonly string[] {
  if (!/^\s*\$/.test(path)) return [];
  return [...path.matchAll(MEMBER)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}
