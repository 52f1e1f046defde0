import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { BoundaryError } from "../model/errors.ts";
import { detailOf } from "./detail.ts";
import { unreadable } from "./read-config.ts";

/** The content of a YAML or JSON file that a field of the configuration names. Throws CONFIG_* with the field. */
export async function readYaml(path: string, field: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new BoundaryError("CONFIG_UNREADABLE", field, `${field}: ${unreadable(path, error)}`);
  }
  try {
    return parse(text);
  } catch (error) {
    const [line] = error instanceof Error ? error.message.split("\n") : [];
    throw new BoundaryError("CONFIG_INVALID", field, `${path}: ${line ?? "not YAML"}`);
  }
}

/** A parser knows the field that is wrong, but not the file that it stands in. */
export function inFile<T>(path: string, field: string, parseContent: (content: unknown) => T, content: unknown): T {
  try {
    return parseContent(content);
  } catch (error) {
    if (!BoundaryError.is(error)) throw error;
    throw new BoundaryError(error.code, field, `${path}: ${detailOf(error)}`);
  }
}
