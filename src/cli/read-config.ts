import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseConfig } from "../config/config.ts";
import type { Config } from "../config/config-schema.ts";
import { BoundaryError } from "../model/errors.ts";

const DEFAULT_CONFIG_FILE = "dualview.yaml";

/** A checked configuration, and the folder that its paths are relative to. */
export interface LoadedConfig {
  readonly config: Config;
  readonly folder: string;
}

/** Reads the configuration a command was given. Throws CONFIG_UNREADABLE or CONFIG_INVALID with a message that says what to do. */
export async function readConfig(file: unknown): Promise<LoadedConfig> {
  const path = resolve(typeof file === "string" ? file : DEFAULT_CONFIG_FILE);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    const hint = code === "ENOENT" ? " Name another file with --config." : "";
    throw new BoundaryError("CONFIG_UNREADABLE", undefined, `${unreadable(path, error)}${hint}`);
  }
  return { config: parseConfig(text, path), folder: dirname(path) };
}

/** What is wrong with a file, from the error's own code. */
export function unreadable(path: string, error: unknown): string {
  const { code } = error as { code?: unknown };
  if (code === "ENOENT") return `${path} does not exist.`;
  if (code === "EISDIR") return `${path} is a folder, not a file.`;
  if (code === "EACCES" || code === "EPERM") return `${path} may not be read by this user.`;
  return `${path} cannot be read (${typeof code === "string" ? code : "unknown error"}).`;
}
