import { z } from "zod";

/** Where a secret is read from when it is needed. */
export interface SecretReference {
  /** Name of an environment variable. */
  readonly env: string;
}

/** The secret itself is never part of a configuration, so that a file can be shown, copied and committed. */
export const secretReference: z.ZodObject<{ env: z.ZodString }, z.core.$strict> = z
  .strictObject(
    { env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "the name of an environment variable") },
    {
      error: ({ code }) =>
        code === "invalid_type" ? "name the environment variable that holds it: { env: NAME }" : undefined,
    },
  )
  .describe("Name of the environment variable that holds it: { env: NAME }.");

/** An address as it is written, or where it is read from as a whole, password included. */
export const address: z.ZodType<string | SecretReference> = z.union([z.string().min(1), secretReference], {
  error: "write the address, or name the environment variable that holds it: { env: NAME }",
});
