import { hash } from "node:crypto";
import type { RedisCommands } from "./redis-commands.ts";
import { errorWord, failureOf, storeError } from "./redis-failure.ts";

/** Lua source and the name that the server knows it by. */
export interface Script {
  readonly source: string;
  readonly sha1: string;
}

export function scriptOf(source: string): Script {
  return { source, sha1: hash("sha1", source, "hex") };
}

/** With so many commands past their deadline and unanswered, further ones would only fill the client's memory. */
const MAX_HANGING = 32;

/**
 * Runs scripts, each within a deadline of our own: a client's timeout does not fire once a command is written. After a deadline
 * it is unknown whether the script ran. Rejects with a BoundaryError alone.
 */
export class ScriptRunner {
  readonly #commands: RedisCommands;
  readonly #deadlineMs: number;
  #hanging = 0;

  constructor(commands: RedisCommands, deadlineMs: number) {
    this.#commands = commands;
    this.#deadlineMs = deadlineMs;
  }

  async run(script: Script, keys: readonly string[], args: readonly string[]): Promise<readonly unknown[]> {
    try {
      return await this.#within(this.#evaluate(script, keys, args));
    } catch (error) {
      throw failureOf(error);
    }
  }

  #evaluate(
    script: Script,
    keys: readonly string[],
    args: readonly string[],
  ): (late: () => boolean) => Promise<unknown> {
    return async (late) => {
      try {
        return await this.#commands.evalSha(script.sha1, keys, args);
      } catch (error) {
        // a restarted server has forgotten its scripts; nothing was run
        if (errorWord(error) !== "NOSCRIPT" || late()) throw error;
        return await this.#commands.eval(script.source, keys, args);
      }
    };
  }

  async #within(work: (late: () => boolean) => Promise<unknown>): Promise<readonly unknown[]> {
    if (this.#hanging >= MAX_HANGING) throw storeError("Redis has stopped answering.");
    let timer: NodeJS.Timeout | undefined;
    let late = false;
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        late = true;
        this.#hanging += 1;
        reject(storeError(`Redis did not answer within ${this.#deadlineMs} ms.`));
      }, this.#deadlineMs);
    });
    const settled = async (): Promise<unknown> => {
      try {
        return await work(() => late);
      } finally {
        clearTimeout(timer);
        if (late) this.#hanging -= 1;
      }
    };
    const reply = await Promise.race([settled(), deadline]);
    if (!Array.isArray(reply)) throw storeError("Redis answered in a form that the store does not know.");
    return reply;
  }
}
