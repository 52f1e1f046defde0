import { isSecretKind, type Kind } from "./policy.ts";

/** A stretch of text that is to be replaced. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
  /** Put around the placeholder, where it takes the place of a bare JSON number. */
  readonly quote?: string;
  /** What takes the place, when it is not a placeholder of the whole. */
  readonly replacement?: string;
}

/**
 * Non-overlapping spans in order. A secret beats an identifier, overlapping secrets become one, of two identifiers the one that
 * begins first (the longer one at the same place) stays.
 */
export function mergeSpans(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const secrets = unite(sorted(spans.filter((span) => isSecretKind(span.kind))));
  if (secrets.length === spans.length) return secrets;
  const identifiers = sorted(spans.filter((span) => !isSecretKind(span.kind)));
  const merged: Span[] = [];
  let next = 0;
  let end = 0;
  for (const span of identifiers) {
    while (
      next < secrets.length &&
      (secrets[next] as Span).start < span.end &&
      (secrets[next] as Span).end <= span.start
    ) {
      merged.push(secrets[next++] as Span);
    }
    const secret = secrets[next];
    if (span.start < end || (secret !== undefined && secret.start < span.end)) continue;
    merged.push(span);
    end = span.end;
  }
  while (next < secrets.length) merged.push(secrets[next++] as Span);
  return merged;
}

function sorted(spans: readonly Span[]): readonly Span[] {
  return [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
}

function unite(spans: readonly Span[]): Span[] {
  const united: Span[] = [];
  for (const span of spans) {
    const last = united.at(-1);
    if (last === undefined || span.start >= last.end) united.push(span);
    else if (span.end > last.end) united[united.length - 1] = { start: last.start, end: span.end, kind: last.kind };
  }
  return united;
}
