const NAME = /(?<![A-Za-z0-9_./-])[a-z][a-z0-9]*(?:-[a-z0-9]+)+(?![A-Za-z0-9_/-])/g;
/** Words that stand before `-api` or `-service` without naming one. */
const KIND =
  /^(?:rest|public|private|open|internal|external|http|https|json|web|client|server|self|micro|third-party|cross|multi|per|non|full|end-user|customer)$/;

/** How services are usually called. */
export const USUAL_ENDS: readonly string[] =
  "api service svc server gateway worker job app backend frontend proxy consumer producer scheduler".split(" ");

/** What known names end in: `api` of `order-api`. */
export function endsOf(names: readonly string[]): readonly string[] {
  return names.filter((name) => name.includes("-")).map((name) => name.slice(name.lastIndexOf("-") + 1));
}

/** Names in the text that have the shape of a service: hyphenated, with one of the ends. */
export function serviceNames(text: string, ends: readonly string[]): readonly string[] {
  const wanted = new Set(ends);
  return [...text.matchAll(NAME)]
    .map(([name]) => name)
    .filter((name) => {
      const at = name.lastIndexOf("-");
      return wanted.has(name.slice(at + 1)) && !KIND.test(name.slice(0, at));
    });
}
