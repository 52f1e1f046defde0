import type { JsonValue } from "../model/json.ts";
import type { RunMemory } from "../model/memory.ts";

/** What a projector may do with text of a backend. Bound to the policy, the run's salt and a prefix of the run memory. */
export interface Redact {
  /** Free text: a log message, an excerpt, a cell without a telling name. */
  text(text: string): string;
  /** A value under a name that may tell what it is: a column, a key, a header. Numbers stay numbers unless they are replaced. */
  field(name: string, value: JsonValue): JsonValue;
  /** A whole tree: every member by its key, every string leaf by its content. Valid JSON stays valid, with the same members. */
  tree(value: JsonValue): JsonValue;
  /**
   * What `text(source)` gave, for comparing only and never to be shown: identifiers instead of their aliases, and `HELD_BACK`
   * instead of each secret. A filter that looked into secrets would tell a right guess from a wrong one.
   */
  comparable(redacted: string, source: string): string;
}

/** A redactor of one call: it also remembers what it proved secret and which aliases it gave. */
export interface Redactor extends Redact {
  /** What this call learned beyond the memory it was given. */
  learned(): RunMemory;
  /** Whether a finished text still holds a secret that this run knows, in any encoding that is searched for. */
  leaks(text: string): boolean;
  /** How many values were held back so far, by kind. For people and tests, never for the model. */
  readonly counts: ReadonlyMap<string, number>;
}

export interface RedactorOptions {
  /** Key of the run's aliases, hexadecimal. */
  readonly salt: string;
  readonly memory: RunMemory;
}

/** One redaction policy, compiled once and shared by all calls. */
export interface Redaction {
  /** Digest of everything that changes its output. */
  readonly digest: string;
  redactor(options: RedactorOptions): Redactor;
}
