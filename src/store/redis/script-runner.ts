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

  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<readonly unknown[]> {
    if (this.#hanging >= MAX_HANGING) return Promise.reject(storeError("Redis has stopped answering."));
    return new Promise((resolve, reject) => {
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        this.#hanging += 1;
        reject(storeError(`Redis did not answer within ${this.#deadlineMs} ms.`));
      }, this.#deadlineMs);
      const done = (): void => {
        if (late) this.#hanging -= 1;
        else clearTimeout(timer);
      };
      this.#evaluate(script, keys, args, () => late).then(
        (reply) => {
          done();
          if (Array.isArray(reply)) resolve(reply);
          else reject(storeError("Redis answered in a form that the store does not know."));
        },
        (error: unknown) => {
          done();
          reject(failureOf(error));
        },
      );
    });
  }

  async #evaluate(
    script: Script,
    keys: readonly string[],
    args: readonly string[],
    late: () => boolean,
  ): Promise<unknown> {
    try {
      return await this.#commands.evalSha(script.sha1, keys, args);
    } catch (error) {
      // a restarted server has forgotten its scripts; nothing was run
      if (errorWord(error) !== "NOSCRIPT" || late()) throw error;
      return await this.#commands.eval(script.source, keys, args);
    }
  }
}
