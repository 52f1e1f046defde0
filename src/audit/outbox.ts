import type { OutboxBatch, OutboxPosition } from "../model/audit-event.ts";

/** The part of a store that the drainer works with; every store has it. */
export interface AuditOutbox {
  /** The oldest events of each partition that are not acknowledged yet, at most `limit` a partition. Removes nothing. */
  drain(limit: number): Promise<readonly OutboxBatch[]>;
  /** Everything up to and including this position is written elsewhere and may be trimmed. Safe to repeat. */
  acknowledge(position: OutboxPosition): Promise<void>;
}
