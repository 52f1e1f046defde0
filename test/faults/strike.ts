import { until } from "../until.ts";

/** The steps of a call, of its audit and of a verdict on it, before each of which something can happen. */
export const STEPS = ["begin", "execute", "project", "settle", "drain", "record", "acknowledge", "guard"] as const;
export type Step = (typeof STEPS)[number];

/** The steps before which nothing of a call may be shown. */
export const UNSETTLED: readonly Step[] = ["begin", "execute", "project", "settle"];

/** Lets something happen once, right before a step. What is done after that step waits until it has happened. */
export class Strike {
  #armed: { readonly step: Step; readonly hit: () => Promise<void> | void } | null = null;
  #hitting: Promise<void> | null = null;

  arm(step: Step, hit: () => Promise<void> | void): void {
    this.#armed = { step, hit };
  }

  /** For steps that cannot wait. */
  begin(step: Step): void {
    if (this.#armed?.step !== step) return;
    const { hit } = this.#armed;
    this.#armed = null;
    this.#hitting = (async () => hit())();
  }

  async before(step: Step | undefined): Promise<void> {
    if (step !== undefined) this.begin(step);
    await this.#hitting;
  }

  /** Waits until it has come to the step and the event is over. */
  async happened(): Promise<void> {
    await until(() => this.#hitting !== null);
    await this.#hitting;
  }
}

/** The same object, with the event right before the methods that stand for a step. */
export function struck<T extends object>(target: T, strike: Strike, steps: Readonly<Record<string, Step>>): T {
  return new Proxy(target, {
    get: (_, name) => {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return async (...args: unknown[]) => {
        await strike.before(steps[String(name)]);
        return await Reflect.apply(member as (...rest: unknown[]) => unknown, target, args);
      };
    },
  });
}
