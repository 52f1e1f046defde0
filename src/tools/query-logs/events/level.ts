/** Severity of an event, least first. */
export const LEVELS = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"] as const;
export type Level = (typeof LEVELS)[number];

const NAMES: Readonly<Record<Level, string>> = {
  TRACE: "trace trc finest finer verbose v 跟踪",
  DEBUG: "debug dbg debug1 debug2 debug3 fine d 调试",
  INFO: "info inf information informational notice note log config i 信息 提示",
  WARN: "warn warning wrn w 警告 告警",
  ERROR: "error err eror e fail failure severe 错误 异常",
  FATAL: "fatal ftl critical crit alert emerg emergency panic dpanic f c 严重 致命",
};
const BY_NAME: ReadonlyMap<string, Level> = new Map(
  LEVELS.flatMap((level) => NAMES[level].split(" ").map((name) => [name, level] as const)),
);

/** A level by any of its usual names; null for other words. One-letter names count only where `letters` says so. */
export function levelOf(name: string, letters = false): Level | null {
  if (name.length > 13 || (name.length === 1 && !letters)) return null;
  return BY_NAME.get(name.toLowerCase()) ?? null;
}

/** Level of a number: syslog severities 0 to 7, or the tens that Node and Python loggers use. */
export function levelOfNumber(value: number): Level | null {
  if (value >= 0 && value <= 7) return syslogLevel(value);
  const tens: Readonly<Record<number, Level>> = {
    10: "TRACE",
    20: "DEBUG",
    30: "INFO",
    40: "WARN",
    50: "ERROR",
    60: "FATAL",
  };
  return tens[value] ?? null;
}

export function syslogLevel(severity: number): Level {
  if (severity <= 2) return "FATAL";
  if (severity === 3) return "ERROR";
  if (severity === 4) return "WARN";
  return severity === 7 ? "DEBUG" : "INFO";
}

/** Whether a level is the wanted one or more severe. */
export function atLeast(level: Level, wanted: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}
