import type { CanonicalInvocation, Readable } from "../model/invocation.ts";

/** A record as everybody but the rederiving guard may read it. */
export function withoutRaw(record: CanonicalInvocation): Readable {
  if (record.status !== "READY") return record;
  const { raw: _raw, ...readable } = record;
  return readable;
}
