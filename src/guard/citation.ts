import type { Citation, Claim } from "../model/draft.ts";
import { isCallId, shownCallId } from "../model/ids.ts";
import { isCitable } from "../model/invocation.ts";
import type { Reading } from "../model/reading.ts";
import type { GuardCode } from "../model/verdict.ts";
import type { Lookup } from "../store/store.ts";
import { type ItemView, RecordView } from "./evidence.ts";

/** What the store holds under an id of this run. Ids that never were, or are another run's, are absent alike. */
export type EvidenceLookup = Lookup;

/** A citation that leads to evidence. `item` is null where the whole call is cited. */
export interface ResolvedCitation {
  readonly citation: Citation;
  readonly view: RecordView;
  readonly item: ItemView | null;
}

/** A citation that leads nowhere, and why. */
export interface FailedCitation {
  readonly citation: Citation;
  readonly code: GuardCode;
}

/** Everything the store gave for one draft, read once. */
export class CitedRecords {
  readonly #lookups: ReadonlyMap<string, EvidenceLookup>;
  readonly #readings: (toolName: string) => Reading;
  readonly #now: number;
  readonly #views = new Map<string, RecordView>();

  constructor(lookups: ReadonlyMap<string, EvidenceLookup>, readings: (toolName: string) => Reading, now: number) {
    this.#lookups = lookups;
    this.#readings = readings;
    this.#now = now;
  }

  /** Follows one citation: state, lifetime, tool, item, in this order. */
  resolve(citation: Citation, claim: Claim): ResolvedCitation | FailedCitation {
    const fail = (code: GuardCode): FailedCitation => ({ citation, code });
    const id = citation.tool_call_id;
    const lookup = this.#lookups.get(id) ?? { kind: "absent" };
    if (lookup.kind === "absent") return fail(isPlainId(id) ? "EG_INVOCATION_NOT_FOUND" : "EG_ID_MALFORMED");
    if (lookup.kind === "expired" || this.#now >= lookup.record.expiresAt) return fail("EG_INVOCATION_EXPIRED");
    const { record } = lookup;
    if (record.status === "ERROR") return fail("EG_INVOCATION_ERROR");
    if (!isCitable(record)) return fail("EG_NOT_READY");
    if (citation.tool_name !== undefined && citation.tool_name !== record.toolName) return fail("EG_TOOL_MISMATCH");
    return findItem(citation, claim, this.#view(record));
  }

  #view(record: ConstructorParameters<typeof RecordView>[0]): RecordView {
    const key = shownCallId(record.toolCallId);
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const view = new RecordView(record, this.#readings(record.toolName));
    this.#views.set(key, view);
    return view;
  }
}

function findItem(citation: Citation, claim: Claim, view: RecordView): ResolvedCitation | FailedCitation {
  if (citation.item_id === undefined) {
    return mayCiteCall(claim, view) ? { citation, view, item: null } : { citation, code: "EG_ITEM_REQUIRED" };
  }
  const item = view.item(citation.item_id);
  return item === null ? { citation, code: "EG_ITEM_NOT_FOUND" } : { citation, view, item };
}

/** Whether the id may be looked up at all. */
export function isUsableId(id: string): boolean {
  return isCallId(id);
}

/** Ids that frameworks mint hold few marks; one that holds others and is not of this run was made up. */
function isPlainId(id: string): boolean {
  return /^[A-Za-z0-9._:|+/=~@#,-]+$/.test(id);
}

/** Positive claims name their item. A count speaks of the whole call, and an empty call has no items to name. */
function mayCiteCall(claim: Claim, view: RecordView): boolean {
  return claim.kind === "negative" || claim.count !== undefined || view.empty;
}
