import { BoundaryError } from "../../../model/errors.ts";
import type { LineParser } from "./formats.ts";
import { levelOf } from "./level.ts";
import { type FoundTime, readTime, type TimeReference, timeOfNumber } from "./time.ts";

/**
 * A format of the user's own: a regular expression with the named groups `time`, `level`, `service`, `logger` and `message`,
 * each optional. It comes from the configuration and is trusted to be quick. Throws CONFIG_INVALID.
 */
export function userFormat(source: string): LineParser {
  const expression = compile(source);
  return (line, reference) => {
    const match = expression.exec(line);
    if (match === null) return null;
    const { time, level, service, logger } = match.groups ?? {};
    return {
      time: timeOf(time, reference),
      level: levelOf(level ?? "", true),
      service: service ?? null,
      logger: logger ?? null,
      body: time !== undefined && line.startsWith(time) ? time.length + spaces(line, time.length) : 0,
      at: match.indices?.groups?.["message"]?.[0] ?? 0,
    };
  };
}

function timeOf(text: string | undefined, reference: TimeReference): FoundTime | null {
  return text === undefined ? null : (readTime(text, 0, reference) ?? timeOfNumber(text));
}

function spaces(line: string, from: number): number {
  let at = from;
  while (line.charAt(at) === " ") at += 1;
  return at - from;
}

function compile(source: string): RegExp {
  let expression: RegExp;
  try {
    expression = new RegExp(source, "d");
  } catch {
    throw new BoundaryError("CONFIG_INVALID", "pattern", "The line pattern of a log source is no regular expression.");
  }
  if (!/\(\?<(?:time|level|service|logger|message)>/.test(source))
    throw new BoundaryError(
      "CONFIG_INVALID",
      "pattern",
      "The line pattern names no group: time, level, service, logger or message.",
    );
  return expression;
}
