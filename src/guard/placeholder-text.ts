/** An identifier of the run under its alias: as good as a name. */
const ALIAS = /\[\[(?!secret:)[a-z][a-z0-9_-]{0,40}:[A-Za-z0-9_-]{1,80}\]\]/g;

/** What stands where something was held back, by us or by others: it says nothing about what it hides. */
const MASK =
  /\[\[secret:[^\]\s]{0,80}\]\]|[[<({【]\s?(?:redacted|masked|filtered|hidden|removed|scrubbed|sensitive|secret|private|omitted|已脱敏|脱敏|已隐藏|已屏蔽|已遮蔽|隐藏|屏蔽)(?:[_\s:-][\w\s:-]{0,40})?\s?[\])>}】]|[\w.@-]*(?:\*{3,}|•{3,}|█{2,}|●{3,}|[xX]{5,})[\w.@-]*/giu;

/** Placeholders blanked out, so that nothing in them is taken for a number or a name. */
export function blankPlaceholders(text: string): string {
  if (!/[[<({【*•█●xX]/.test(text)) return text;
  return text.replace(ALIAS, blank).replace(MASK, blank);
}

function blank(found: string): string {
  return "\u0001".repeat(found.length);
}

export function aliasesIn(text: string): readonly string[] {
  return text.match(ALIAS) ?? [];
}

export function holdsMask(text: string): boolean {
  return text.search(MASK) !== -1;
}

/** The text without its placeholders: what a quoted span says by itself. */
export function withoutMasks(text: string): string {
  return text.replace(MASK, "");
}
