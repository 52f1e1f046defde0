import { EMPTY_MEMORY, type RunMemory } from "../../src/model/memory.ts";
import type { RedactionPolicy } from "../../src/redact/policy.ts";
import type { Redactor } from "../../src/redact/redact.ts";
import { createRedaction } from "../../src/redact/redaction.ts";

export const SALT = "00112233445566778899aabbccddeeff";

const shared = createRedaction();

/** A redactor of a new call, with the default policy unless another is given. */
export function newRedactor(options: { policy?: RedactionPolicy; memory?: RunMemory; salt?: string } = {}): Redactor {
  const redaction = options.policy === undefined ? shared : createRedaction(options.policy);
  return redaction.redactor({ salt: options.salt ?? SALT, memory: options.memory ?? EMPTY_MEMORY });
}

export const redactText = (text: string): string => newRedactor().text(text);

/**
 * Cases are written with the parts that must go in «…». Answers the output beside what is expected of it: nothing of those parts,
 * everything around them, in order.
 */
export function check(marked: string): { readonly output: string; readonly expected: RegExp } {
  const text = marked.replace(/[«»]/g, "");
  const around = marked.split(/«[^»]*»/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return {
    output: redactText(text),
    expected: new RegExp(`^${around.join('"?\\[\\[[a-z]+:[a-z0-9_]+\\]\\]"?')}$`, "s"),
  };
}
