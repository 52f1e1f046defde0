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
  const input = resolvedOf(document, file) ?? {};
  const parsed = configSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const told = parsed.error.issues.slice(0, 10).map((issue) => `  ${explain(issue, input)}`);
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

function explain(issue: Issue, input: unknown): string {
  const place = issue.path.length === 0 ? "the top level" : `'${issue.path.map(String).join(".")}'`;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownKey(key, place, keysAt(issue.path, input))).join("\n  ");
  if (issue.code === "invalid_union" && issue.discriminator !== undefined)
    return unknownVariant(
      place,
      "options" in issue ? (issue.options ?? []).map(String) : [],
      valueAt(input, issue.path),
    );
  if (issue.code === "invalid_type" && valueAt(input, issue.path) === undefined) return `${place} is missing`;
  return `${place}: ${issue.message}`;
}

function unknownKey(key: string, place: string, known: readonly string[]): string {
  const meant = nearestName(key, known);
  const hint = meant === null ? `known are ${known.join(", ")}` : `did you mean '${meant}'?`;
  return `unknown key '${key}' at ${place}: ${hint}`;
}

function unknownVariant(place: string, known: readonly string[], written: unknown): string {
  const meant = typeof written === "string" ? nearestName(written, known) : null;
  const hint = meant === null ? "" : `; did you mean '${meant}'?`;
  return `${place} ${written === undefined ? "is missing" : "is not known"}: one of ${known.join(", ")}${hint}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, part) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[part], input);
}

interface SchemaNode {
  readonly shape?: Readonly<Record<string, SchemaNode>>;
  readonly valueType?: SchemaNode;
  readonly def?: {
    readonly innerType?: SchemaNode;
    readonly valueType?: SchemaNode;
    readonly discriminator?: string;
    readonly options?: readonly SchemaNode[];
    readonly values?: readonly unknown[];
  };
}

/** Keys that the schema knows at a place; of several variants, those of the one that was chosen there. */
function keysAt(path: readonly PropertyKey[], input: unknown): readonly string[] {
  let node = unwrap(configSchema as SchemaNode, input);
  for (const [depth, part] of path.entries()) {
    const next = node?.shape?.[String(part)] ?? node?.valueType ?? node?.def?.valueType;
    node = unwrap(next, valueAt(input, path.slice(0, depth + 1)));
  }
  return Object.keys(node?.shape ?? {});
}

function unwrap(node: SchemaNode | undefined, value: unknown): SchemaNode | undefined {
  let inner = node;
  while (inner?.shape === undefined && inner?.def?.innerType !== undefined) inner = inner.def.innerType;
  const { discriminator, options } = inner?.def ?? {};
  if (discriminator === undefined) return inner;
  const chosen = valueAt(value, [discriminator]);
  return options?.find((option) => option.shape?.[discriminator]?.def?.values?.includes(chosen));
}
