import { type Document, parseDocument } from "yaml";
import type { z } from "zod";
import { BoundaryError } from "../model/errors.ts";
import { nearestName } from "../model/nearest.ts";
import { type Config, configSchema } from "./config-schema.ts";

/** Reads the text of a `dualview.yaml` (JSON is YAML too). Throws CONFIG_INVALID with a message that names the place and the fix. */
export function parseConfig(text: string, file: string): Config {
  const document = parseDocument(text, { prettyErrors: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw invalid(`${file}: ${firstLine(fault.message)}`);
  const parsed = configSchema.safeParse(resolvedOf(document, file) ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const told = parsed.error.issues.slice(0, 10).map((issue) => `  ${explain(issue)}`);
  throw invalid(`${file}:\n${told.join("\n")}`);
}

/** The parser's own words, without the excerpt that it draws below them. */
function firstLine(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/:$/, ".");
}

/** References that multiply, or go in circles, are an error of the file like any other. */
function resolvedOf(document: Document.Parsed, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw invalid(`${file}: its aliases cannot be resolved`);
  }
}

function invalid(detail: string): BoundaryError {
  return new BoundaryError("CONFIG_INVALID", undefined, detail);
}

type Issue = z.core.$ZodIssue;

function explain(issue: Issue): string {
  const place = issue.path.length === 0 ? "the top level" : `'${issue.path.map(String).join(".")}'`;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownKey(key, place, issue.path)).join("\n  ");
  if (issue.code === "invalid_type" && issue.input === undefined) return `${place} is missing`;
  return `${place}: ${issue.message}`;
}

function unknownKey(key: string, place: string, path: readonly PropertyKey[]): string {
  const known = keysAt(configSchema, path);
  const meant = nearestName(key, known);
  const hint = meant === null ? `known are ${known.join(", ")}` : `did you mean '${meant}'?`;
  return `unknown key '${key}' at ${place}: ${hint}`;
}

interface SchemaNode {
  readonly shape?: Readonly<Record<string, SchemaNode>>;
  readonly valueType?: SchemaNode;
  readonly def?: { readonly innerType?: SchemaNode; readonly valueType?: SchemaNode };
}

/** Keys that the schema knows at a place. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  let node = unwrap(schema as SchemaNode);
  for (const part of path) {
    const next = node?.shape?.[String(part)] ?? node?.valueType ?? node?.def?.valueType;
    node = unwrap(next);
  }
  return Object.keys(node?.shape ?? {});
}

function unwrap(node: SchemaNode | undefined): SchemaNode | undefined {
  let inner = node;
  while (inner?.shape === undefined && inner?.def?.innerType !== undefined) inner = inner.def.innerType;
  return inner;
}
