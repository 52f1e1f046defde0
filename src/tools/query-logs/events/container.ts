import { parseObject } from "./formats.ts";
import { readTime } from "./time.ts";

/** A line as a container runtime wrote it: the program's own text, when it came, and on which stream. */
export interface Wrapped {
  readonly text: string;
  /** ISO 8601 with a zone. */
  readonly time: string;
  readonly stream: string;
  /** The runtime cut the line here; the next of the same stream goes on with it. */
  readonly partial: boolean;
}

export type Unwrap = (line: string) => Wrapped | null;
export const CONTAINER_FORMATS = ["docker", "cri"] as const;
export type ContainerFormat = (typeof CONTAINER_FORMATS)[number];

const CRI = /^(\S{20,40}) (stdout|stderr) ([FP])(?: |$)/;
const UTC = { zone: null, written: 0 };

export const UNWRAP: Readonly<Record<ContainerFormat, Unwrap>> = {
  /** Docker's json-file: the text stands in `log`, cut into pieces of 16 KiB; the last piece ends in a newline. */
  docker: (line) => {
    const fields = parseObject(line);
    const { log, time, stream } = fields ?? {};
    if (typeof log !== "string" || typeof time !== "string" || typeof stream !== "string") return null;
    return { text: log.replace(/\n$/, ""), time, stream, partial: !log.endsWith("\n") };
  },
  /** Kubernetes' runtimes: time, stream, `F` for a full line or `P` for a part of one. */
  cri: (line) => {
    const match = CRI.exec(line);
    const [head = "", time = "", stream = "", flag] = match ?? [];
    if (match === null || readTime(time, 0, UTC)?.assumed !== false) return null;
    return { text: line.slice(head.length), time, stream, partial: flag === "P" };
  },
};

/** The runtime that wrote most of the sample's lines; null when none did. */
export function detectContainer(sample: readonly string[]): ContainerFormat | null {
  const lines = sample.filter((line) => line.trim() !== "");
  const wrapped = (format: ContainerFormat): number => lines.filter((line) => UNWRAP[format](line) !== null).length;
  return CONTAINER_FORMATS.find((format) => wrapped(format) * 2 > lines.length) ?? null;
}
