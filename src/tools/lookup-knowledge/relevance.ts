import type { RelevanceLevel } from "../../model/evidence.ts";

const LEVELS: readonly RelevanceLevel[] = ["REFERENCE", "MEDIUM", "HIGH"];

interface Thresholds {
  readonly floor: number;
  readonly medium: number;
  readonly high: number;
}

/** Coverage of a question by a passage. Pairs of characters match less often than stemmed words, so each script has its own scale. */
const SPACED: Thresholds = { floor: 0.35, medium: 0.45, high: 0.55 };
const UNSPACED: Thresholds = { floor: 0.3, medium: 0.39, high: 0.48 };

/**
 * How close a passage is to the topic of a question: never whether it is true. Null below the floor.
 * `coverage`: share of the question's information that the passage holds; `unspacedShare`: share of its tokens in Han or Kana; both 0 to 1.
 */
export function levelOfCoverage(coverage: number, unspacedShare: number): RelevanceLevel | null {
  const at = (name: keyof Thresholds): number => SPACED[name] + (UNSPACED[name] - SPACED[name]) * unspacedShare;
  if (coverage >= at("high")) return "HIGH";
  if (coverage >= at("medium")) return "MEDIUM";
  return coverage >= at("floor") ? "REFERENCE" : null;
}

/** One step up: a passage below the floor becomes a reference, never more. */
export function lifted(level: RelevanceLevel | null): RelevanceLevel {
  return LEVELS[Math.min(rankOfLevel(level), LEVELS.length - 1)] ?? "REFERENCE";
}

/** 0 for no level, 3 for HIGH. */
export function rankOfLevel(level: RelevanceLevel | null): number {
  return level === null ? 0 : LEVELS.indexOf(level) + 1;
}

/** A level as a backend wrote it; whatever is unknown or missing is no more than a reference. */
export function parseLevel(value: unknown): RelevanceLevel {
  const word = typeof value === "string" ? value.trim().toUpperCase() : "";
  return LEVELS.find((level) => level === word) ?? "REFERENCE";
}

export function lowerLevel(a: RelevanceLevel, b: RelevanceLevel): RelevanceLevel {
  return rankOfLevel(a) <= rankOfLevel(b) ? a : b;
}
