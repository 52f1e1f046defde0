import type { ResolvedCitation } from "./citation.ts";
import type { CheckFinding, ClaimContext } from "./claim-context.ts";
import { equals, parseDecimal } from "./decimal.ts";
import type { ItemView } from "./evidence.ts";
import { aliasesIn } from "./placeholder-text.ts";
import { endsOf, serviceNames } from "./service-names.ts";
import { mentions } from "./text.ts";

/** Declared entities must be what was looked at, or what every cited row says; aliases of the run must stand in the evidence. */
export function checkEntities(context: ClaimContext): readonly CheckFinding[] {
  const declared = Object.entries(context.claim.entities ?? {});
  const right = declared.every(([name, value]) => isSupported(name, value, context));
  const shown = aliasesIn(context.text).every((alias) => isShown(alias, context));
  return right && shown && !namesOtherService(context) ? [] : [{ code: "EG_ENTITY_OUT_OF_SCOPE" }];
}

/** Whether a positive claim names a service like those of the scope that neither scope nor evidence knows. */
function namesOtherService({ claim, text, records, reach }: ClaimContext): boolean {
  if (claim.kind !== "observation" && claim.kind !== "root_cause") return false;
  const services = records.flatMap(({ record }) => [record.scope["service"] ?? []].flat()).map(String);
  const named = serviceNames(text, endsOf(services)).filter((name) => !services.includes(name));
  const known = records.flatMap(({ record }) => Object.values(record.scope)).map(String);
  return named.some(
    (name) => !reach.some((item) => mentions(item.all, name)) && !known.some((value) => mentions(value, name)),
  );
}

/** What a citation says of an entity. */
type Word = "agrees" | "differs" | "silent";

function isSupported(name: string, value: string, { citations }: ClaimContext): boolean {
  if (citations.length === 0) return true;
  const words = citations.flatMap((citation) => said(name, value, citation));
  if (words.includes("differs")) return false;
  return words.includes("agrees") || citations.every(({ item }) => item !== null && mentions(item.all, value));
}

function said(name: string, value: string, { item, view }: ResolvedCitation): readonly Word[] {
  const rows = item === null ? view.items : [item];
  const cells = rows.map((row) => cellWord(name, value, row)).filter((word) => word !== "silent");
  if (cells.length > 0) return cells;
  return [scopeWord(name, value, view.record.scope)];
}

/** Singular and plural name the same thing: `table`, `tables`. */
function namesOf(name: string): readonly string[] {
  const lower = name.toLowerCase();
  return lower.endsWith("s") ? [lower, lower.slice(0, -1)] : [lower, `${lower}s`];
}

function cellWord(name: string, value: string, row: ItemView): Word {
  const names = namesOf(name);
  const cells = row.fields.filter((field) => names.includes(field.name.toLowerCase()));
  if (cells.length === 0) return "silent";
  return cells.some((cell) => isSame(String(cell.value), value)) ? "agrees" : "differs";
}

function scopeWord(name: string, value: string, scope: Readonly<Record<string, unknown>>): Word {
  const key = Object.keys(scope).find((field) => namesOf(name).includes(field.toLowerCase()));
  const shown = key === undefined ? undefined : scope[key];
  if (shown === undefined || shown === "") return "silent";
  return [shown].flat().some((own) => isSame(String(own), value)) ? "agrees" : "differs";
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a.normalize("NFKC").trim(), b.normalize("NFKC").trim()];
  if (left === right) return true;
  const [x, y] = [parseDecimal(left), parseDecimal(right)];
  return x !== null && y !== null && equals(x, y);
}

function isShown(alias: string, { reach, records }: ClaimContext): boolean {
  if (records.length === 0) return true;
  return (
    reach.some((item) => item.all.includes(alias)) ||
    records.some(({ record }) => JSON.stringify(record.scope).includes(alias))
  );
}
