import { mentions } from "./text.ts";

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

/** Behind the English word for it only what cannot be a common word: with a mark or digit in it, or in quotation marks. */
const BEHIND_ENGLISH =
  /\b(?:[Ss]ervice|[Tt]able|[Dd]ata ?source|[Dd]atabase|[Ss]chema)\s+(?:[`"']([\w.-]{1,64})[`"']|([a-z]\w*(?:[._-]\w+)+))/g;
const BEHIND_CHINESE = /(?:数据源|数据库)\s?[`"']?([a-z][\w-]{0,63})/g;
const BEFORE_CHINESE = /(?<![\w.-])([a-z](?:[\w.-]{0,62}\w)?)[`"']?\s?(?:服务|数据源|数据库|库(?!存)|表(?!示|明|现))/g;
const BEHIND_PREPOSITION = /\b(?:in|from)\s+[`"']?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)/g;
const GENERIC = /^(?:mysql|sql|redis|http|rpc|web|api)$/;

/** What the text calls a service, table or datasource. Behind a preposition a table is meant only where none of the known ones is named. */
export function subjectNames(text: string, known: readonly string[]): readonly string[] {
  const forms = [BEHIND_ENGLISH, BEHIND_CHINESE, BEFORE_CHINESE];
  const named = known.some((name) => mentions(text, name));
  return (named ? forms : [...forms, BEHIND_PREPOSITION])
    .flatMap((form) => [...text.matchAll(form)])
    .map((found) => found[1] ?? found[2] ?? "")
    .filter((name) => name !== "" && !GENERIC.test(name));
}
