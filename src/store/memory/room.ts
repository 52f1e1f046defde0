import { isActive, type MemoryCall, type MemoryRun, runBytes } from "./memory-run.ts";

const SWEEP_EVERY_MS = 30_000;
/** At the cap, looking for what has expired is worth it only so often. */
const PURGE_PAUSE_MS = 1_000;

/** Where the runs and records are, within bounds: what has expired goes, and of ended runs the oldest when room is needed. */
export class Room {
  readonly #maxBytes: number;
  readonly #maxRuns: number;
  readonly #clock: () => number;
  readonly #unsettled: (run: MemoryRun, call: MemoryCall) => void;
  readonly #runs = new Map<string, MemoryRun>();
  #bytes = 0;
  #nextPurge = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `unsettled` is told of each call that is given up while it is PROJECTING: its end is audited all the same. */
  constructor(
    maxBytes: number,
    maxRuns: number,
    clock: () => number,
    unsettled: (run: MemoryRun, call: MemoryCall) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#maxRuns = maxRuns;
    this.#clock = clock;
    this.#unsettled = unsettled;
  }

  get usage(): { readonly bytes: number; readonly runs: number } {
    return { bytes: this.#bytes, runs: this.#runs.size };
  }

  runs(): Iterable<MemoryRun> {
    return this.#runs.values();
  }

  run(runId: string): MemoryRun | null {
    const run = this.#runs.get(runId);
    if (run === undefined) return null;
    if (this.#clock() < run.keepUntil) return run;
    this.#dropRun(run);
    return null;
  }

  /** The record, unless its TTL is over. */
  call(run: MemoryRun, key: string): MemoryCall | null {
    const call = run.calls.get(key);
    if (call === undefined) return null;
    if (this.#clock() < call.expiresAt) return call;
    this.#dropCall(run, key, call);
    return null;
  }

  addRun(run: MemoryRun): boolean {
    if (this.#runs.size >= this.#maxRuns) this.purge();
    if (this.#runs.size >= this.#maxRuns) this.#dropOldestEndedRun();
    if (this.#runs.size >= this.#maxRuns) return false;
    this.#runs.set(run.state.runId, run);
    this.#startTimer();
    return true;
  }

  addCall(run: MemoryRun, key: string, call: MemoryCall): boolean {
    if (!this.#makeRoom(call.bytes)) return false;
    run.calls.set(key, call);
    this.#bytes += call.bytes;
    return true;
  }

  /** Gives a record its final size. A settled ERROR is never larger than the record it replaces. */
  grow(call: MemoryCall, bytes: number): boolean {
    if (bytes > call.bytes && !this.#makeRoom(bytes - call.bytes)) return false;
    this.#bytes += bytes - call.bytes;
    call.bytes = bytes;
    return true;
  }

  /** From now on the run counts, and may be given up. */
  endRun(run: MemoryRun): void {
    run.bytes = runBytes(run);
    this.#bytes += run.bytes;
  }

  /** Forgets what has expired. */
  purge(): void {
    const now = this.#clock();
    this.#nextPurge = now + PURGE_PAUSE_MS;
    for (const run of this.#runs.values()) {
      if (now >= run.keepUntil) this.#dropRun(run);
      else this.#dropExpired(run, now);
    }
  }

  clear(): void {
    this.#runs.clear();
    this.#bytes = 0;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #makeRoom(bytes: number): boolean {
    const fits = (): boolean => this.#bytes + bytes <= this.#maxBytes;
    if (fits()) return true;
    if (this.#clock() >= this.#nextPurge) this.purge();
    if (!fits()) this.#dropRecordsOfEndedRuns(fits);
    while (!fits() && this.#dropOldestEndedRun());
    return fits();
  }

  /** The index stays, so that a citation of such a record is answered as expired. Map order is the order of opening. */
  #dropRecordsOfEndedRuns(enough: () => boolean): void {
    const now = this.#clock();
    for (const run of this.#runs.values()) {
      if (enough()) return;
      if (!isActive(run, now)) for (const [key, call] of run.calls) this.#dropCall(run, key, call);
    }
  }

  #dropOldestEndedRun(): boolean {
    const now = this.#clock();
    for (const run of this.#runs.values()) {
      if (isActive(run, now)) continue;
      this.#dropRun(run);
      return true;
    }
    return false;
  }

  #dropRun(run: MemoryRun): void {
    for (const [key, call] of run.calls) this.#dropCall(run, key, call);
    this.#runs.delete(run.state.runId);
    this.#bytes -= run.bytes;
  }

  #dropExpired(run: MemoryRun, now: number): void {
    for (const [key, call] of run.calls) if (now >= call.expiresAt) this.#dropCall(run, key, call);
  }

  #dropCall(run: MemoryRun, key: string, call: MemoryCall): void {
    run.calls.delete(key);
    this.#bytes -= call.bytes;
    if (call.record.status === "PROJECTING") this.#unsettled(run, call);
  }

  /** Raw must not outlive its TTL in an idle process either. */
  #startTimer(): void {
    if (this.#timer !== null) return;
    this.#timer = setInterval(() => this.purge(), SWEEP_EVERY_MS);
    this.#timer.unref();
  }
}
