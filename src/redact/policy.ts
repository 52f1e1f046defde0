import { createHash } from "node:crypto";
import { BoundaryError } from "../model/errors.ts";
import { stableJson } from "../model/json.ts";
import { splitKey } from "./keys.ts";

/** Changes with every change of what the redactor puts out; part of the digest. */
const REDACTION_VERSION = "redact-3";

/**
 * Kinds of secrets, as their placeholders show them. None is a word that people use as a key or a password, so that a placeholder
 * never spells the value it stands for: `password=password` becomes `password=[[secret:pw]]`.
 */
export const SECRET_KINDS = [
  "pw",
  "tkn",
  "akey",
  "generic",
  "cred",
  "header",
  "sess",
  "sig",
  "otp",
  "pem",
  "hash",
  "vendor",
  "jwt",
  "literal",
  "known",
] as const;
/** Kinds of identifiers; their placeholders carry an alias. */
export const IDENTIFIER_KINDS = [
  "ip",
  "mac",
  "host",
  "pod",
  "container",
  "pid",
  "email",
  "phone",
  "idcard",
  "bankcard",
  "sql",
] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];
export type Kind = SecretKind | IdentifierKind;

/** A value or a key that is to be left alone, and why: the reason is for the next reader of the policy. */
export type KeepRule =
  | { readonly value: string; readonly reason: string }
  | { readonly key: string; readonly reason: string };

/** What an operator may change. Everything is optional; the default is every kind on. */
export interface RedactionPolicy {
  readonly kinds?: Readonly<Partial<Record<Kind, boolean>>>;
  /** Further key or column names whose values are secrets, in any case style: `vault_blob` also means `vaultBlob`. */
  readonly secretKeys?: readonly string[];
  /** Values that are secret wherever they stand; at least 4 characters. */
  readonly literals?: readonly string[];
  readonly keep?: readonly KeepRule[];
}

/** A policy as the scanners ask it. */
export interface CompiledPolicy {
  readonly digest: string;
  readonly literals: readonly string[];
  isOn(kind: Kind): boolean;
  /** Whether a key, split into its words, was named by the policy. */
  isSecretKey(words: readonly string[]): boolean;
  keepsValue(value: string): boolean;
  keepsKey(words: readonly string[]): boolean;
}

const SECRET_SET: ReadonlySet<string> = new Set(SECRET_KINDS);
const ALL_KINDS: ReadonlySet<string> = new Set<string>([...SECRET_KINDS, ...IDENTIFIER_KINDS]);

export function isSecretKind(kind: string): kind is SecretKind {
  return SECRET_SET.has(kind);
}

const keyId = (words: readonly string[]): string => words.join("_");

/** Checks a policy and prepares it for scanning. Throws BoundaryError(CONFIG_INVALID, field). */
export function compilePolicy(policy: RedactionPolicy = {}): CompiledPolicy {
  check(policy);
  const off = new Set(Object.entries(policy.kinds ?? {}).flatMap(([kind, on]) => (on === false ? [kind] : [])));
  const secretKeys = new Set((policy.secretKeys ?? []).map((key) => keyId(splitKey(key))));
  const keptValues = new Set((policy.keep ?? []).flatMap((rule) => ("value" in rule ? [rule.value] : [])));
  const keptKeys = new Set((policy.keep ?? []).flatMap((rule) => ("key" in rule ? [keyId(splitKey(rule.key))] : [])));
  const literals = [...new Set(policy.literals ?? [])].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return {
    digest: digestOf(off, secretKeys, literals, policy.keep ?? []),
    literals,
    isOn: (kind) => !off.has(kind),
    isSecretKey: (words) => secretKeys.size > 0 && secretKeys.has(keyId(words)),
    keepsValue: (value) => keptValues.size > 0 && keptValues.has(value),
    keepsKey: (words) => keptKeys.size > 0 && keptKeys.has(keyId(words)),
  };
}

function check(policy: RedactionPolicy): void {
  const invalid = (field: string, detail: string): BoundaryError => new BoundaryError("CONFIG_INVALID", field, detail);
  for (const kind of Object.keys(policy.kinds ?? {})) {
    if (!ALL_KINDS.has(kind))
      throw invalid("kinds", `There is no kind of this name; kinds are ${[...ALL_KINDS].join(", ")}.`);
  }
  if ((policy.literals ?? []).some((literal) => literal.length < 4 || literal.length > 256)) {
    throw invalid("literals", "A literal has 4 to 256 characters.");
  }
  if ((policy.secretKeys ?? []).some((key) => splitKey(key).length === 0))
    throw invalid("secretKeys", "A key has a name.");
  if ((policy.keep ?? []).some((rule) => rule.reason.trim() === ""))
    throw invalid("keep", "A kept value needs its reason.");
}

function digestOf(
  off: ReadonlySet<string>,
  secretKeys: ReadonlySet<string>,
  literals: readonly string[],
  keep: readonly KeepRule[],
): string {
  const kept = keep.map((rule) => ("value" in rule ? `value ${rule.value}` : `key ${rule.key}`)).sort();
  const content = stableJson({
    version: REDACTION_VERSION,
    off: [...off].sort(),
    secretKeys: [...secretKeys].sort(),
    literals,
    kept,
  });
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}
