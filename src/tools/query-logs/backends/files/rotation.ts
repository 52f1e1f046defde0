import { basename, dirname, join } from "node:path";

const ROTATED = /^(.*?)(?:[.-](\d{1,4}))?(?:\.(?:gz|zst|zstd))?$/;
const DATED = /^(.*?)[.-](\d{4}-?\d{2}-?\d{2}(?:[-T_]?\d{2,6})?)(?:\.(\d{1,4}))?(\.log)?(?:\.(?:gz|zst|zstd))?$/;

/** `app.log.2.gz`, `app.log.1`, `app.log`: by name, then the higher number first; dates in names in their order. */
export function byRotation(a: { readonly path: string }, b: { readonly path: string }): number {
  const [left, right] = [rotation(a.path), rotation(b.path)];
  if (left.base !== right.base) return left.base < right.base ? -1 : 1;
  if (left.date !== right.date) return left.date < right.date ? -1 : 1;
  return right.number - left.number || (a.path < b.path ? -1 : 1);
}

function rotation(path: string): { readonly base: string; readonly date: string; readonly number: number } {
  const name = basename(path);
  const folder = dirname(path);
  const dated = DATED.exec(name);
  if (dated !== null)
    return { base: join(folder, `${dated[1]}${dated[4] ?? ""}`), date: dated[2] ?? "", number: -Number(dated[3] ?? 0) };
  const numbered = ROTATED.exec(name);
  return { base: join(folder, numbered?.[1] ?? name), date: "~", number: Number(numbered?.[2] ?? 0) };
}

/** The service a file is named after: `checkout.log.1.gz` holds events of `checkout`. */
export function serviceOfFile(name: string): string {
  return (name.split("/").at(-1) ?? name).split(".")[0] ?? name;
}
