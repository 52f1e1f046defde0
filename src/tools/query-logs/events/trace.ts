/** A text without the noise of its stack traces, and how many frames were cut. */
export interface Trimmed {
  readonly text: string;
  readonly cut: number;
}

const FRAME = /^\s{1,64}at \S/;
const PYTHON_FRAME = /^ {2}File "/;
const GOROUTINE = /^goroutine \d{1,10} \[/;
const RUST_FRAME = /^\s{1,8}\d{1,6}: \S/;
const FRAMEWORK =
  /^\s{1,64}at (?:async )?(?:(?:java\.base\/|java\.desktop\/)|(?:java|javax|jakarta|sun|jdk|kotlin|scala|akka|reactor|groovy)\.|(?:com\.sun|com\.fasterxml|org\.springframework|org\.apache|org\.eclipse|org\.hibernate|org\.jboss|org\.junit|io\.netty|io\.undertow|io\.grpc|okhttp3|rx)\.|(?:System|Microsoft)\.|.{0,300}(?:node:internal\/|[/\\]node_modules[/\\]|\(internal\/)|(?:Module|process|processTicksAndRejections|Promise\.all|new Promise)\b)/;
/** Own frames kept in each part of a trace, and frames of frameworks where there are no others. */
const OWN_FRAMES = 5;
const FRAMEWORK_FRAMES = 2;
const PYTHON_FRAMES = 4;
const GO_LINES = 16;

/**
 * Cuts what does not tell the cause. Java, .NET and Node traces name it first, so their tails go; Python names it last, so its
 * first frames go; of a Go crash the goroutine that failed stays. What was cut is counted in its place.
 */
export function trimTraces(text: string): Trimmed {
  if (!text.includes("\n")) return { text, cut: 0 };
  const lines = text.split("\n");
  if (lines.some((line) => GOROUTINE.test(line))) return trimGo(lines);
  const out: string[] = [];
  let cut = 0;
  for (let i = 0; i < lines.length; ) {
    const frames = frameCount(lines, i);
    if (frames === 0) {
      out.push(lines[i] ?? "");
      i += 1;
      continue;
    }
    const trimmed = trimFrames(lines.slice(i, i + frames));
    out.push(...trimmed.lines);
    cut += trimmed.cut;
    i += frames;
  }
  return { text: out.join("\n"), cut };
}

/** Lines from `start` on that are frames of one trace. */
function frameCount(lines: readonly string[], start: number): number {
  const first = lines[start] ?? "";
  const belongs = PYTHON_FRAME.test(first)
    ? (line: string): boolean => line.startsWith("  ")
    : FRAME.test(first)
      ? (line: string): boolean => FRAME.test(line)
      : RUST_FRAME.test(first)
        ? (line: string): boolean => RUST_FRAME.test(line) || FRAME.test(line)
        : null;
  if (belongs === null) return 0;
  let end = start;
  while (end < lines.length && belongs(lines[end] ?? "")) end += 1;
  return end - start;
}

function trimFrames(lines: readonly string[]): { readonly lines: readonly string[]; readonly cut: number } {
  if (PYTHON_FRAME.test(lines[0] ?? "")) return trimPython(lines);
  const own = lines.filter((line) => !FRAMEWORK.test(line)).slice(0, OWN_FRAMES);
  const kept = own.length > 0 ? own : lines.slice(0, FRAMEWORK_FRAMES);
  return { lines: [...kept, ...cutMark(lines.length - kept.length)], cut: lines.length - kept.length };
}

function trimPython(lines: readonly string[]): { readonly lines: readonly string[]; readonly cut: number } {
  const starts = lines.flatMap((line, i) => (PYTHON_FRAME.test(line) ? [i] : []));
  const cut = Math.max(0, starts.length - PYTHON_FRAMES);
  return { lines: [...cutMark(cut), ...lines.slice(starts[cut] ?? 0)], cut };
}

function trimGo(lines: readonly string[]): Trimmed {
  const starts = lines.flatMap((line, i) => (GOROUTINE.test(line) ? [i] : []));
  const [first = 0, second = lines.length] = starts;
  const kept = lines.slice(0, Math.min(second, first + GO_LINES));
  while (kept.at(-1)?.trim() === "") kept.pop();
  const frames = Math.ceil(Math.max(0, second - first - GO_LINES) / 2);
  const others = starts.length - 1;
  if (others > 0) kept.push(`\t... ${others} goroutines cut`);
  return { text: [...kept.slice(0, kept.length), ...cutMark(frames)].join("\n"), cut: frames + others };
}

function cutMark(frames: number): string[] {
  return frames > 0 ? [`\t... ${frames} frames cut`] : [];
}
