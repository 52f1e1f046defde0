/** Times of one operation, in microseconds. `baseline` is measured in the same run, in turns with it. */
export async function compare(name, operation, baseline, { rounds = 3_000, warmUp = 300 } = {}) {
  const own = [];
  const bare = [];
  for (let n = 0; n < warmUp + rounds; n += 1) {
    const a = await once(operation, n);
    const b = await once(baseline, n);
    if (n < warmUp) continue;
    own.push(a);
    bare.push(b);
  }
  report(name, own, bare);
  return { p50: quantile(own, 0.5), overhead: quantile(own, 0.5) - quantile(bare, 0.5) };
}

async function once(operation, n) {
  const started = process.hrtime.bigint();
  await operation(n);
  return Number(process.hrtime.bigint() - started) / 1_000;
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function report(name, own, bare) {
  const show = (values) => `p50 ${quantile(values, 0.5).toFixed(1)} µs, p99 ${quantile(values, 0.99).toFixed(1)} µs`;
  const overhead = quantile(own, 0.5) - quantile(bare, 0.5);
  console.log(`${name}: ${show(own)} | baseline ${show(bare)} | overhead at p50 ${overhead.toFixed(1)} µs`);
}

/** Says whether a figure reaches what is wanted; the process ends with 1 when one does not. */
export function gate(name, value, atMost, unit) {
  const ok = value <= atMost;
  console.log(`${ok ? "ok  " : "MISS"} ${name}: ${value.toFixed(1)} ${unit} (at most ${atMost} ${unit})`);
  if (!ok) process.exitCode = 1;
}
