import { GUARD_FINDINGS, type GuardCode } from "../model/verdict.ts";

/** What a finding means and what to change, for a model or a person. Fixed text: it never hints at what a record holds. */
export function explainFinding(code: GuardCode, language: "en" | "zh"): string {
  return GUARD_FINDINGS[code][language];
}
