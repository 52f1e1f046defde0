type FunctionKind = "scalar" | "aggregate" | "window";

/**
 * What becomes of text that a function is given. `none`: the result is a number, a time or a truth. `kept`: the result is one of the
 * texts as it stands, at most without the blanks around it or with JSON laid out in another way, so that a redactor sees all that it
 * would see in the column. `rewritten`: the text is cut, joined, put in another order, encoded or replaced, so that a secret can come
 * out in a form that no longer looks like one. Changing the case counts as that: prefixes of vendors and encodings are told by it.
 * So does what makes text of numbers: the numbers may be the characters of a text.
 */
export type TextEffect = "none" | "kept" | "rewritten";

export interface AllowedFunction {
  readonly kind: FunctionKind;
  readonly text: TextEffect;
  readonly least: number;
  readonly most: number;
}

const SCALAR_NONE = `
  ABS:1 ACOS:1 ASIN:1 ATAN:1-2 ATAN2:2 BIT_COUNT:1 CEIL:1 CEILING:1 COS:1 COT:1 CRC32:1 DEGREES:1 EXP:1 FLOOR:1
  LN:1 LOG:1-2 LOG10:1 LOG2:1 MOD:2 PI:0 POW:2 POWER:2 RADIANS:1 ROUND:1-2 SIGN:1 SIN:1 SQRT:1 TAN:1 TRUNCATE:2
  ASCII:1 BIT_LENGTH:1 CHAR_LENGTH:1 CHARACTER_LENGTH:1 FIELD:2-64 FIND_IN_SET:2 INET_ATON:1 INSTR:2 IS_IPV4:1 IS_IPV6:1
  LENGTH:1 LOCATE:2-3 OCTET_LENGTH:1 ORD:1 REGEXP_INSTR:2 REGEXP_LIKE:2-3 STRCMP:2
  ADDDATE:2 ADDTIME:2 CONVERT_TZ:3 CURDATE:0 CURRENT_DATE:0 CURRENT_TIME:0-1 CURRENT_TIMESTAMP:0-1 CURTIME:0-1 DATE:1
  DATEDIFF:2 DATE_ADD:2 DATE_SUB:2 DAY:1 DAYNAME:1 DAYOFMONTH:1 DAYOFWEEK:1 DAYOFYEAR:1 EXTRACT:1 FROM_DAYS:1
  HOUR:1 LAST_DAY:1 LOCALTIME:0-1 LOCALTIMESTAMP:0-1 MAKEDATE:2 MAKETIME:3 MICROSECOND:1 MINUTE:1 MONTH:1
  MONTHNAME:1 NOW:0-1 PERIOD_ADD:2 PERIOD_DIFF:2 QUARTER:1 SECOND:1 SEC_TO_TIME:1 STR_TO_DATE:2 SUBDATE:2 SUBTIME:2 SYSDATE:0-1 TIME:1
  TIMEDIFF:2 TIMESTAMP:1-2 TIMESTAMPADD:2 TIMESTAMPDIFF:2 TIME_TO_SEC:1 TO_DAYS:1 TO_SECONDS:1
  UNIX_TIMESTAMP:0-1 UTC_DATE:0 UTC_TIME:0-1 UTC_TIMESTAMP:0-1 WEEK:1-2 WEEKDAY:1 WEEKOFYEAR:1 YEAR:1 YEARWEEK:1-2
  ISNULL:1
  JSON_CONTAINS:2-3 JSON_CONTAINS_PATH:3-64 JSON_DEPTH:1 JSON_EXISTS:2 JSON_LENGTH:1-2 JSON_OVERLAPS:2 JSON_TYPE:1 JSON_VALID:1
`;
const SCALAR_KEPT = `
  COALESCE:1-64 ELT:2-64 GREATEST:2-64 IF:3 IFNULL:2 JSON_COMPACT:1 JSON_DETAILED:1 JSON_LOOSE:1 JSON_PRETTY:1 JSON_UNQUOTE:1
  LEAST:2-64 LTRIM:1 NULLIF:2 RTRIM:1
`;
const SCALAR_REWRITTEN = `
  BIN:1 CHAR:1-64 CONCAT:1-64 CONCAT_WS:2-64 CONV:3 EXPORT_SET:3-5 FORMAT:2-3 FROM_BASE64:1 HEX:1 INET6_ATON:1 INET6_NTOA:1
  INET_NTOA:1 INSERT:4 LCASE:1 LEFT:2 LOWER:1 LPAD:2-3 MAKE_SET:2-64 MD5:1 MID:2-3 OCT:1 QUOTE:1 REGEXP_REPLACE:3
  REGEXP_SUBSTR:2 REPEAT:2 REPLACE:3 REVERSE:1 RIGHT:2 RPAD:2-3 SHA:1 SHA1:1 SHA2:2 SOUNDEX:1 SPACE:1 SUBSTR:2-3
  SUBSTRING:2-3 SUBSTRING_INDEX:3 TO_BASE64:1 TRIM:1-2 UCASE:1 UNHEX:1 UPPER:1
  DATE_FORMAT:2-3 FROM_UNIXTIME:1-2 TIME_FORMAT:2
  JSON_ARRAY:0-64 JSON_ARRAY_APPEND:3-63 JSON_ARRAY_INSERT:3-63 JSON_EXTRACT:2-64 JSON_INSERT:3-63 JSON_KEYS:1-2
  JSON_MERGE_PATCH:2-64 JSON_MERGE_PRESERVE:2-64 JSON_OBJECT:0-64 JSON_QUERY:2 JSON_QUOTE:1
  JSON_REMOVE:2-64 JSON_REPLACE:3-63 JSON_SEARCH:3-64 JSON_SET:3-63 JSON_VALUE:2
`;
const AGGREGATE_NONE = `
  AVG:1 BIT_AND:1 BIT_OR:1 BIT_XOR:1 COUNT:1-16 GROUPING:1-16 STD:1 STDDEV:1 STDDEV_POP:1 STDDEV_SAMP:1 SUM:1 VARIANCE:1
  VAR_POP:1 VAR_SAMP:1
`;
const AGGREGATE_KEPT = "ANY_VALUE:1 MAX:1 MIN:1";
const AGGREGATE_REWRITTEN = "GROUP_CONCAT:1-16 JSON_ARRAYAGG:1 JSON_OBJECTAGG:2";
const WINDOW_NONE = "CUME_DIST:0 DENSE_RANK:0 NTILE:1 PERCENT_RANK:0 RANK:0 ROW_NUMBER:0";
const WINDOW_KEPT = "FIRST_VALUE:1 LAG:1-3 LAST_VALUE:1 LEAD:1-3 NTH_VALUE:2";

/** Every function there is. None of them reads or changes anything outside of its arguments, and none runs long. */
export const FUNCTIONS: ReadonlyMap<string, AllowedFunction> = new Map([
  ...entries(SCALAR_NONE, "scalar", "none"),
  ...entries(SCALAR_KEPT, "scalar", "kept"),
  ...entries(SCALAR_REWRITTEN, "scalar", "rewritten"),
  ...entries(AGGREGATE_NONE, "aggregate", "none"),
  ...entries(AGGREGATE_KEPT, "aggregate", "kept"),
  ...entries(AGGREGATE_REWRITTEN, "aggregate", "rewritten"),
  ...entries(WINDOW_NONE, "window", "none"),
  ...entries(WINDOW_KEPT, "window", "kept"),
]);

/** Functions that may be written without parentheses. */
export const BARE_CALLS: ReadonlySet<string> = new Set([
  ...["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"],
  ...["UTC_DATE", "UTC_TIME", "UTC_TIMESTAMP"],
]);

/** Functions whose answer depends on when they are called. */
export const CLOCK_FUNCTIONS: ReadonlySet<string> = new Set([
  ...BARE_CALLS,
  ...["CURDATE", "CURTIME", "NOW", "SYSDATE", "UNIX_TIMESTAMP"],
]);

/** Functions whose result can be much longer than their arguments, with the place of the length. */
export const GROWING: ReadonlyMap<string, number> = new Map([
  ["REPEAT", 1],
  ["SPACE", 0],
  ["LPAD", 1],
  ["RPAD", 1],
]);

function entries(list: string, kind: FunctionKind, text: TextEffect): [string, AllowedFunction][] {
  return list
    .trim()
    .split(/\s+/)
    .map((entry) => {
      const [name = "", range = ""] = entry.split(":");
      const [least = "0", most = least] = range.split("-");
      return [name, { kind, text, least: Number(least), most: Number(most) }];
    });
}
