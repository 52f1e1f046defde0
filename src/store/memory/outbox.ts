import { randomUUID } from "node:crypto";
import type { AuditEvent, OutboxBatch, OutboxPosition } from "../../model/audit-event.ts";

/** Audit events that wait for the sink, in order. Over its limit the oldest are dropped and counted: a call is never delayed. */
export class MemoryOutbox {
  readonly #epoch = randomUUID();
  readonly #limit: number;
  #events: AuditEvent[] = [];
  /** Sequence number of the first event that is kept. */
  #first = 1;
  #dropped = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many events were dropped because nobody took them in time. */
  get dropped(): number {
    return this.#dropped;
  }

  append(event: AuditEvent): void {
    this.#events.push(event);
    if (this.#events.length > this.#limit) {
      this.#forget(1);
      this.#dropped += 1;
    }
  }

  take(limit: number): readonly OutboxBatch[] {
    const events = this.#events.slice(0, limit);
    if (events.length === 0) return [];
    const position = { partition: 0, epoch: this.#epoch, sequence: this.#first + events.length - 1 };
    return [{ position, events, more: events.length < this.#events.length }];
  }

  acknowledge(position: OutboxPosition): void {
    if (position.epoch !== this.#epoch) return;
    this.#forget(Math.min(this.#events.length, position.sequence - this.#first + 1));
  }

  #forget(count: number): void {
    if (count <= 0) return;
    this.#events.splice(0, count);
    this.#first += count;
  }
}
