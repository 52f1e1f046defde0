import type { SecretClass, Strength } from "./keys.ts";

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Values that say there is no value, or what it is like. */
const NOTHING = set(
  "null nil none undefined true false yes no on off ~ - -- n/a na unknown empty missing unset <nil> <null> <none> <empty> <unset> nan optional " +
    "string str varchar int integer bool boolean object void hidden masked redacted filtered omitted [redacted] [filtered] [masked] [hidden] (hidden) (null) (none) (empty) (redacted) <redacted> " +
    "<hidden> <masked> <sensitive> await new this self function lambda async typeof return",
);
/** First words of a sentence about a credential. */
const PROSE = set(
  "invalid incorrect wrong expired missing denied required rejected failed failure not no is are was were has have must should cannot can't could the a an " +
    "for from in on at by with without to of and or but if when unable error unexpected unauthorized unauthorised forbidden mismatch mismatched " +
    "revoked malformed accepted ok okay success successful succeeded valid verified set unset changed updated created deleted removed reset found " +
    "absent present provided supplied given unsupported disabled enabled blocked locked too please check see using used refreshed rotated " +
    "issued obtained exceeded limit verification validation authentication authorization access permission expires bad empty only " +
    "need needs needed may will would does did do done been being it its this that these those which what your you user users cache cached " +
    "refresh parse parsing decode decoding decrypt fetch load loading loaded read reading write generated generation",
);
const REFERENCE = together([
  /^\$\{[^}]*\}?/,
  /^\$\(.*/,
  /^\$[A-Z_][A-Z0-9_]*$/,
  /^\$[a-z_]\w*$/,
  /^\$env:\w+/i,
  /^%[A-Za-z_]\w*%$/,
  /^\{\{.*/,
  /^<%.*/,
  /^<[A-Za-z][\w .-]{0,40}>$/,
  /^#\{.*/,
  /^@[A-Za-z_.]+@$/,
  /^__\w+__$/,
  /^(?:process\.env|os\.environ|os\.getenv|System\.getenv|ENV\[|env\(|getenv|config\.|self\.|this\.|req\.|request\.|params\.|args\.|props\.|ctx\.)/,
  /^(?:env|file|ref\+\w+|vault|secretsmanager|ssm|arn|op|gcpsm|keyvault|projects)[:/]/i,
  /^(?:ENC[([]|vault:v\d|!vault|\$ANSIBLE_VAULT|AgA[A-Za-z0-9+/]{40})/,
  /^!(?:Ref|Sub|GetAtt|ImportValue)\b/,
  /^%\([a-z_]\w*\)s$/i,
  /^:[a-z_]\w*$/i,
  /^\?$/,
  /^[A-Za-z_][\w.]*\[[\w.:"' -]*\]?[\w.[\]]*$/,
  /^(?:Optional|List|Union|Dict|Set|Sequence|Callable|Array|Record|Promise|Maybe|Option|Vec)[[<]/,
  /^[\w.]*NULL$/,
  /^[a-z]\w*(?:\.[\w$]+)+@[0-9a-f]{4,}$/,
  /^(?:New|Get|ConvertTo|Read)-[A-Z]\w+$/,
  /^%[sdvqrxp+#]{1,3}$/,
  /^\{[\w.:!]*\}$/,
  /^@p\d{1,3}$/,
  /^[A-Z][A-Za-z]{2,}\{[0-9a-f]{4,}/,
]);
const MASK = together([
  /^(?:\*{3,}|x{4,}|X{4,}|•{3,}|#{4,}|\.{3,}|_{4,}|-{4,}|\?{3,}|…)$/,
  /^[^*•]{0,3}(?:\*{3,}|•{3,}|…|\.{3})[^*•]{0,4}$/,
  /^\*{2,}[^*]{0,4}$/,
  /^(?:\[|<|\(|\{)?(?:redacted|filtered|masked|hidden|scrubbed|censored|omitted|sanitized)(?:\]|>|\)|\})?$/i,
  /^[[<({](?:removed|secret|sensitive|credential|protected|password|redacted|filtered)(?:[ _:-][A-Za-z]+)*[\]>)}]$/i,
  /^\[[A-Z][A-Z _]+\]$/,
  /^sk-(?:\.{3}|…|\*{3,})\w{0,4}$/,
  /^[A-Za-z]{2,4}[-_](?:\.{3}|…|\*{3,})\w{0,4}$/,
]);

/** Patterns as few expressions, one for each set of flags: nearly every value is tried against all of them. */
function together(patterns: readonly RegExp[]): readonly RegExp[] {
  const flags = new Set(patterns.map((pattern) => pattern.flags));
  return [...flags].map((each) => {
    const sources = patterns.filter((pattern) => pattern.flags === each).map(({ source }) => `(?:${source})`);
    return new RegExp(sources.join("|"), each);
  });
}

const PATH = /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:\\|file:)(?:[\w.@-]{0,40}[/\\]?){1,12}$/;
const CALL = /^[A-Za-z_$][\w$.]{0,60}\([^)]{0,60}\)?[);.,]*$/;
/** A chain of calls: `z.string().min(6)`, `cfg.get(name).trim()`. */
const CHAIN = /^[A-Za-z_$][\w$]{0,40}(?:\.[A-Za-z_$][\w$]{0,40}|\([^()]{0,60}\)){2,12}[;,)]*$/;
const TYPE_WORD =
  /^(?:bytes|int|float|long|double|char|text|uuid|date|datetime|object|any|unknown|never|string|str|number|boolean|bool|list|dict|map)$/i;
const TYPE = /^(?:[A-Z][a-z]+(?:<.*>?|\[.*)?\??|VARCHAR\(\d+\)|varchar\(\d+\)|Token\{.*)$/;
const DURATION =
  /^\d+(?:\.\d+)?\s?(?:ms|s|m|h|d|days?|hours?|minutes?|seconds?|secs?|mins?|天|秒|分钟|分鐘|小时|小時|次|位|个|KB|MB|GB|B|bytes?|%|rpm|qps)$/i;

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value; // not an encoding of anything
  }
}

/** Whether a value is none: empty, null, a reference, a mask, a path, a piece of code. */
export function isNoValue(value: string): boolean {
  if (value.length > 200) return false;
  if (NOTHING.has(value.toLowerCase())) return true;
  if (REFERENCE.some((pattern) => pattern.test(value)) || MASK.some((pattern) => pattern.test(value))) return true;
  return isPath(value) || CALL.test(value) || (value.includes("(") && CHAIN.test(value)) || DURATION.test(value);
}

function isPath(value: string): boolean {
  if (!PATH.test(value)) return false;
  const segments = value.split(/[/\\]/).filter((segment) => segment !== "");
  return (
    segments.length > 0 &&
    segments.every(
      (segment) => segment.length <= 32 && !(/[A-Z]/.test(segment) && /\d/.test(segment) && segment.length > 12),
    )
  );
}

/** Whether a word begins or makes up a sentence rather than being a value. */
export function isProse(word: string): boolean {
  return PROSE.has(word.toLowerCase().replace(/[.,;:!?]+$/, ""));
}

const classes = (value: string): number =>
  (/[a-z]/.test(value) ? 1 : 0) +
  (/[A-Z]/.test(value) ? 1 : 0) +
  (/\d/.test(value) ? 1 : 0) +
  (/[^A-Za-z0-9\s]/.test(value) ? 1 : 0);

const HEX_OR_UUID = /^(?:[0-9a-f]{16,}|[0-9A-F]{16,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;

/** Whether a value looks made by a machine: hexadecimal, or a mix of letter cases, digits and signs. */
export function isRandom(whole: string): boolean {
  const value = whole.length > 256 ? whole.slice(0, 256) : whole;
  if (value.length < 8 || /^0x/i.test(value) || /\s\S*\s/.test(value)) return false;
  if (HEX_OR_UUID.test(value)) return true;
  if (/^\d+$/.test(value) || /^\d{4}-\d\d/.test(value)) return false;
  if (!/\d/.test(value) || isNameLike(value)) return false;
  return classes(value) >= 3 || (value.length >= 16 && classes(value) >= 2 && /[A-Za-z]{2}/.test(value));
}

/** Pieces that are words or short numbers: `order-service-v2`, `Report.2026-05`, `MAX_RETRY_3`. */
function isNameLike(value: string): boolean {
  return value
    .split(/[-_.:/@ ]/)
    .every(
      (piece) => /^(?:[A-Za-z]?[a-z]*\d{0,4}|[A-Z]*\d{0,4}|v?\d{1,6}[a-z]{0,2})$/.test(piece) && piece.length <= 20,
    );
}

/** What stands around a value, as far as its meaning depends on it. */
export interface Surroundings {
  /** `=`, `:`, or another sign between key and value. */
  readonly separator: string;
  readonly quoted: boolean;
  /** The rest of the line after the value. */
  readonly after: string;
}

/** Whether the value of a secret's key is one. */
export function isSecretValue(found: SecretClass, value: string, around: Surroundings): boolean {
  const trimmed = value.trim();
  if (trimmed === "" || isNoValue(trimmed) || (trimmed.includes("%") && isNoValue(percentDecoded(trimmed))))
    return false;
  if (found.kind === "otp") return /^(?=\D{0,7}\d)[A-Za-z0-9]{4,8}$/.test(trimmed) && !/^0x/.test(trimmed);
  if (!around.quoted && /^[\u4e00-\u9fff]/.test(trimmed)) return false;
  if (!around.quoted && around.separator !== "=" && startsSentence(trimmed, around)) return false;
  if (around.quoted && around.separator !== "=" && isQuotedSentence(trimmed)) return false;
  return isStrongEnough(found.strength, trimmed, around);
}

function isStrongEnough(strength: Strength, value: string, around: Surroundings): boolean {
  const isBareText = !around.quoted && around.separator !== "=";
  if (strength === "random") return isRandom(value);
  if (isBareText && (TYPE_WORD.test(value) || isProse(value))) return false;
  return strength === "any" ? isAny(value, isBareText) : isToken(value, around.quoted, isBareText);
}

const isAny = (value: string, isBareText: boolean): boolean =>
  !/^\d{1,2}$/.test(value) && !(isBareText && /^[(<[{]/.test(value));

function isToken(value: string, quoted: boolean, isBareText: boolean): boolean {
  if ((!quoted && isProse(value)) || (isBareText && TYPE.test(value))) return false;
  if (value.length < 2) return false;
  return /^\d{4,}$/.test(value) || !/^\d+(?:\.\d+)?$/.test(value);
}

/** A bare word after a colon is a sentence when it is a word of one, or more plain words follow. */
function startsSentence(value: string, around: Surroundings): boolean {
  if (isProse(value)) return true;
  if (!/^[A-Za-z][a-z']*$/.test(value)) return false;
  return /^ [a-z']+(?: [a-z']+|[.,;:!]|$)/.test(around.after);
}

function isQuotedSentence(value: string): boolean {
  const words = value.split(" ");
  if (words.length === 2) return isProse(words[0] as string) && isProse(words[1] as string);
  return words.length >= 3 && words.every((word) => /^[A-Za-z][a-z']*[.,;:!?]?$/.test(word)) && words.some(isProse);
}
