import type { EvidenceSource } from "../guard/guard.ts";
import type { CanonicalStore, Lookup } from "../store/store.ts";

/** What the guard reads from: the store, by the harness's clock. A record past its TTL is gone, even if a store still has it. */
export function evidenceSource(store: CanonicalStore, clock: () => number): EvidenceSource {
  return {
    read: async (runId, toolCallIds) => {
      const now = clock();
      const found = await store.read(runId, toolCallIds);
      return found.map((lookup) => withinTtl(lookup, now));
    },
  };
}

function withinTtl(lookup: Lookup, now: number): Lookup {
  return lookup.kind === "found" && now >= lookup.record.expiresAt ? { kind: "expired" } : lookup;
}
