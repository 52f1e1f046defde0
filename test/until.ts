import { setTimeout as pause } from "node:timers/promises";

/** Waits until something holds. Rejects when it does not within a time that no healthy machine needs. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not happen within ${withinMs} ms`);
    await pause(1);
  }
}
