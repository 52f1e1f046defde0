import type { ResolvedExpression } from "../sql/resolved.ts";

const NUMERIC_CALLS: ReadonlySet<string> = new Set(
  `ABS ACOS ASIN ASCII ATAN ATAN2 AVG CEIL CEILING CHAR_LENGTH CHARACTER_LENGTH COS COUNT CUME_DIST DATEDIFF DAY DAYOFMONTH
   DAYOFWEEK DAYOFYEAR DEGREES DENSE_RANK EXP EXTRACT FIELD FIND_IN_SET FLOOR HOUR INSTR JSON_LENGTH LENGTH LN LOCATE LOG10 LOG2
   MINUTE MOD MONTH NTILE OCTET_LENGTH PERCENT_RANK PI POW POWER QUARTER RADIANS RANK ROUND ROW_NUMBER SECOND SIGN SIN SQRT STRCMP SUM
   TAN TIMESTAMPDIFF TRUNCATE UNIX_TIMESTAMP WEEKDAY YEAR`.split(/\s+/),
);
const NUMERIC_TYPES: ReadonlySet<string> = new Set([
  "SIGNED",
  "UNSIGNED",
  "INTEGER",
  "INT",
  "DECIMAL",
  "DOUBLE",
  "REAL",
  "FLOAT",
]);

/** Whether an expression is a number by its form alone. */
export function isNumeric(node: ResolvedExpression): boolean {
  switch (node.kind) {
    case "literal":
      return node.literal.type === "number";
    case "chain":
      return true;
    case "call":
      return NUMERIC_CALLS.has(node.name);
    case "cast":
      return NUMERIC_TYPES.has(node.target.type);
    case "operation":
      return node.operator === "NEGATE";
    default:
      return false;
  }
}
