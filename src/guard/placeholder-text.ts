/** An identifier of the run under its alias: as good as a name. */
const ALIAS = /\[\[(?!secret:)[a-z][a-z0-9_-]{0,40}:[A-Za-z0-9_-]{1,80}\]\]/g;

const HELD_BACK =
  "redacted|masked|filtered|hidden|removed|scrubbed|sensitive|secret|private|omitted|anonymi[sz]ed|已?脱敏|已?隐藏|已?屏蔽|已?遮蔽|已?打码";
/** What others write for a value of a kind: `<EMAIL>`, `[PHONE_NUMBER]`. */
const KINDS =
  "(?:EMAIL|IP|IPV4|IPV6|PHONE|PERSON|USER|USERNAME|PASSWORD|PASSWD|TOKEN|CREDENTIALS?|API_?KEY|KEY|NAME|ADDRESS|CARD|CREDIT_CARD|SSN|HOST|HOSTNAME|ACCOUNT|COOKIE|SESSION|MAC|UUID)(?:_[A-Z]{2,12}){0,2}";

/** What stands where something was held back, by us or by others: it says nothing about what it hides. */
const MASKS: readonly RegExp[] = [
  /\[\[secret:[^\]\s]{0,80}\]\]/g,
  new RegExp(`[[<【]\\s?(?:${HELD_BACK})(?:[_\\s:-][\\w\\s:-]{0,40})?\\s?[\\]>】]`, "gi"),
  /[({]\s?(?:redacted|masked|已?脱敏|已?打码)(?:[_\s:-][\w\s:-]{0,40})?\s?[)}]/gi,
  new RegExp(`[[<]${KINDS}[\\]>]|\\bREDACTED(?:_[A-Z]{2,16})?\\b`, "g"),
  /[\w.@-]{0,64}(?:\*{3,64}|•{3,64}|█{2,64}|●{3,64})[\w.@-]{0,64}|\b[xX]{5,64}\b/g,
];

/** No placeholder is without one of these; most texts have none. */
const HINT = /[[<({【*•█●]|[xX]{5}|REDACTED/;

/** Placeholders blanked out, so that nothing in them is taken for a number or a name. */
export function blankPlaceholders(text: string): string {
  if (!HINT.test(text)) return text;
  return MASKS.reduce((rest, mask) => rest.replace(mask, blank), text.replace(ALIAS, blank));
}

function blank(found: string): string {
  return "\u0001".repeat(found.length);
}

export function aliasesIn(text: string): readonly string[] {
  return text.match(ALIAS) ?? [];
}

export function holdsMask(text: string): boolean {
  return HINT.test(text) && MASKS.some((mask) => text.search(mask) !== -1);
}

/** The text without its placeholders: what a quoted span says by itself. */
export function withoutMasks(text: string): string {
  return MASKS.reduce((rest, mask) => rest.replace(mask, ""), text);
}
