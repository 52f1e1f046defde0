import { BoundaryError } from "../model/errors.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import type { RunMemory } from "../model/memory.ts";
import { findPlaceholders, type Placeholder, wholeAlias } from "../redact/placeholders.ts";
import type { Tool } from "../tools/tool.ts";

/** Turns whole identifier aliases of one run back into their values. */
export type AliasLookup = (text: string) => string;

/** A text that is no alias comes back as it is; an alias this run has not given is refused. */
export function aliasLookup(memory: RunMemory): AliasLookup {
  let values: Map<string, string> | null = null;
  return (text) => {
    const found = wholeAlias(text);
    if (found === null) return text;
    values ??= new Map(memory.aliases.map((entry) => [`${entry.kind}:${entry.alias}`, entry.value]));
    const value = values.get(`${found.kind}:${found.alias}`);
    if (value === undefined) throw new BoundaryError("ALIAS_UNKNOWN");
    return value;
  };
}

/**
 * Puts values back for aliases that stand where the tool allows it: as the whole value of an exact filter. A held-back secret
 * never comes back, and an alias anywhere else is refused, since a substring or a function of it would decode it.
 */
export function withoutAliases(tool: Tool, request: JsonValue, lookup: AliasLookup): JsonValue {
  return isJsonObject(request) ? replaceMembers(tool, request, "", lookup) : replaceLeaf(tool, request, "", "", lookup);
}

function replaceMembers(tool: Tool, object: JsonValue, path: string, lookup: AliasLookup): JsonValue {
  const members = Object.entries(object as Record<string, JsonValue>).map(([name, value]) => {
    refusePlaceholders(name, path);
    const field = path === "" ? name : `${path}.${name}`;
    return [name, replaceLeaf(tool, value, field, field, lookup)] as const;
  });
  return Object.fromEntries(members);
}

function replaceLeaf(tool: Tool, value: JsonValue, field: string, path: string, lookup: AliasLookup): JsonValue {
  if (typeof value === "string") return replaceText(tool, value, field, path, lookup);
  if (Array.isArray(value)) {
    return value.map((element, i) => replaceLeaf(tool, element, field, `${path}[${i}]`, lookup));
  }
  return isJsonObject(value) ? replaceMembers(tool, value, path, lookup) : value;
}

function replaceText(tool: Tool, text: string, field: string, path: string, lookup: AliasLookup): string {
  const found = findPlaceholders(text);
  if (found.length === 0) return text;
  if (found.some(isSecret)) throw new BoundaryError("PLACEHOLDER_IN_REQUEST", path);
  if (tool.aliasTextFields.includes(field)) return text;
  if (wholeAlias(text) === null || !tool.aliasFields.includes(field)) throw new BoundaryError("ALIAS_POSITION", path);
  try {
    return lookup(text);
  } catch {
    throw new BoundaryError("ALIAS_UNKNOWN", path);
  }
}

function isSecret(placeholder: Placeholder): boolean {
  return placeholder.alias === undefined;
}

function refusePlaceholders(name: string, path: string): void {
  const found = findPlaceholders(name);
  if (found.length === 0) return;
  throw new BoundaryError(found.some(isSecret) ? "PLACEHOLDER_IN_REQUEST" : "ALIAS_POSITION", path);
}
