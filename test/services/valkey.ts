import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of a Valkey server; null where the set-up found and got none, and said why. */
    readonly valkey: string | null;
  }
}

/** The Valkey to run on, if there is one. Importing this file is what makes the set-up look for it. */
export function valkeyProgram(): string | null {
  const program: string | null | undefined = inject("valkey");
  if (program === undefined)
    throw new Error("No Valkey was looked for at the start of this run. Start the tests again.");
  return program;
}
