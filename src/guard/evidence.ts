import type { EvidenceItem, RelevanceLevel } from "../model/evidence.ts";
import type { Ready } from "../model/invocation.ts";
import { isJsonObject, type JsonValue } from "../model/json.ts";
import type { Reading } from "../model/reading.ts";
import { type Decimal, parseDecimal } from "./decimal.ts";
import { type Moment, readMoments } from "./moment.ts";
import { readNumbers, signed } from "./number-token.ts";
import { blankPlaceholders } from "./placeholder-text.ts";
import { cleanText, comparable } from "./text.ts";
import { findUnit, isCurrency, type Unit, unitOfColumn } from "./units.ts";

/** A finished record without its raw: all that the guard reads. */
export type ReadRecord = Omit<Ready, "raw">;

/** A number of an item, with what the item says about it. */
export interface EvidenceNumber {
  readonly value: Decimal;
  readonly unit: Unit | null;
  readonly currency: Unit | null;
  /** The number stands for a change, or carries a sign: a direction must agree with it. */
  readonly directed: boolean;
  readonly item: ItemView | null;
}

/** A named value of an item: a cell, or a field that the projector gave. */
export interface Field {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** One item as the checks need it. Everything is read when it is first asked for, and once. */
export class ItemView {
  readonly itemId: string;
  readonly fields: readonly Field[];
  readonly text: string;
  readonly #item: EvidenceItem;
  #comparable: readonly string[] | null = null;
  #numbers: readonly EvidenceNumber[] | null = null;
  #moments: readonly Moment[] | null = null;
  #currencies: readonly Unit[] | null = null;
  #all: string | null = null;

  constructor(item: EvidenceItem) {
    this.#item = item;
    this.itemId = item.item_id;
    this.text = typeof item.text === "string" ? item.text : "";
    this.fields = fieldsOf(item);
  }

  /** Texts that a quote may stand in, in comparable form: the item's text, each text cell, and the row written out. */
  get comparable(): readonly string[] {
    this.#comparable ??= this.#quotable().map(comparable);
    return this.#comparable;
  }

  get numbers(): readonly EvidenceNumber[] {
    this.#numbers ??= [
      ...this.#textNumbers(this.text, null),
      ...this.fields.flatMap((field) => this.#fieldNumbers(field)),
    ];
    return this.#numbers;
  }

  get moments(): readonly Moment[] {
    this.#moments ??= [this.text, ...this.#texts()].flatMap((text) => readMoments(cleanText(text)).moments);
    return this.#moments;
  }

  /** Every currency the item shows, be it beside a number, in a column's name or as a cell. */
  get currencies(): readonly Unit[] {
    this.#currencies ??= [
      ...this.numbers.flatMap(({ currency }) => currency ?? []),
      ...this.fields.flatMap(({ name, value }) => [
        unitOfColumn(name),
        typeof value === "string" ? findUnit(value.trim()) : null,
      ]),
    ].filter((unit): unit is Unit => unit !== null && isCurrency(unit));
    return this.#currencies;
  }

  /** All that the item shows, in one clean text, for looking up names. */
  get all(): string {
    const words = this.fields.map(({ name, value }) => `${name} ${name.replaceAll(/[_.]/g, " ")} ${String(value)}`);
    this.#all ??= cleanText([this.text, ...words].join("\n"));
    return this.#all;
  }

  /** Whether the item stands for many events, from a first to a last. */
  get isSpan(): boolean {
    return ["first", "last"].every((end) => typeof this.#item[end] === "string");
  }

  /** From the fields alone, never from text; where two spellings differ the lower level counts. */
  get relevance(): RelevanceLevel | null {
    const levels = [this.#item.relevance_level, this.#item["relevanceLevel"]].map((level) =>
      String(level).toUpperCase(),
    );
    return (["REFERENCE", "MEDIUM", "HIGH"] as const).find((level) => levels.includes(level)) ?? null;
  }

  #quotable(): readonly string[] {
    const { cells } = this.#item;
    const texts = [this.text, ...this.#texts()].filter((text) => text !== "");
    if (!isJsonObject(cells)) return texts;
    const entries = Object.entries(cells).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const written = [
      ["=", ", "],
      [": ", ", "],
      ["=", " "],
    ].map(([is, and]) => entries.map((entry) => entry.join(is)).join(and));
    const values = entries.map(([, value]) => value).join(", ");
    return [...texts, JSON.stringify(cells), ...written, values];
  }

  #texts(): readonly string[] {
    return this.fields.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  }

  #fieldNumbers({ name, value }: Field): readonly EvidenceNumber[] {
    if (typeof value === "boolean") return [];
    const unit = unitOfColumn(name) ?? this.#unitColumn();
    const change = isChange(name);
    const whole = parseDecimal(typeof value === "number" ? String(value) : value.trim());
    if (whole === null) return typeof value === "string" ? this.#textNumbers(value, unit, change) : [];
    const money = unit !== null && isCurrency(unit);
    const directed = change || whole.digits < 0n;
    return [{ value: whole, unit: money ? null : unit, currency: money ? unit : null, directed, item: this }];
  }

  /** A row may name the unit of its value in a column of its own. */
  #unitColumn(): Unit | null {
    const named = this.fields.find(({ name }) => /^(?:unit|units|uom|单位)$/i.test(name));
    return typeof named?.value === "string" ? findUnit(named.value.trim()) : null;
  }

  #textNumbers(text: string, unit: Unit | null, change = false): readonly EvidenceNumber[] {
    const clean = cleanText(text);
    if (!/\d/.test(clean)) return [];
    const readable = readMoments(blankPlaceholders(clean)).rest;
    return readNumbers(readable).numbers.map((token) => {
      const key = keyBefore(readable, token.start);
      const given = unit ?? (key === null ? null : unitOfColumn(key));
      const money = given !== null && isCurrency(given);
      return {
        value: signed(token),
        unit: token.unit ?? (money ? null : given),
        currency: token.currency ?? (money ? given : null),
        directed: change || token.sign !== null || (key !== null && isChange(key)),
        item: this,
      };
    });
  }
}

const CHANGE =
  /(?:^|[_\W])(?:delta|diff|difference|change|changes|changed|net|variation|growth)(?:$|[_\W])|差|变化|变动|增量|增减|涨跌|净/iu;

/** Whether a column holds a change, so that its sign is a direction. */
function isChange(name: string): boolean {
  return CHANGE.test(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2"));
}

/** The name of a `name=value` or `"name": value` pair in a text: it tells the unit as a column does. */
function keyBefore(text: string, at: number): string | null {
  return (
    /([A-Za-z_][A-Za-z0-9_.]{0,63})["']?\s?[:=]\s?["']?[-+]?$/.exec(text.slice(Math.max(0, at - 70), at))?.[1] ?? null
  );
}

const NOT_EVIDENCE = new Set(["item_id", "text", "cells", "relevance_level", "relevanceLevel", "kind", "examples"]);
const MAX_FIELDS = 2_000;

function fieldsOf(item: EvidenceItem): readonly Field[] {
  const fields: Field[] = [];
  const cells = isJsonObject(item.cells) ? item.cells : {};
  for (const [name, value] of Object.entries(cells)) collect(fields, name, value, 0);
  for (const [name, value] of Object.entries(item)) {
    if (!NOT_EVIDENCE.has(name) && value !== undefined) collect(fields, name, value as JsonValue, 0);
  }
  return fields;
}

function collect(fields: Field[], name: string, value: JsonValue, depth: number): void {
  if (fields.length >= MAX_FIELDS || depth > 4 || value === null) return;
  if (typeof value !== "object") fields.push({ name, value });
  else if (Array.isArray(value)) for (const member of value) collect(fields, name, member, depth + 1);
  else for (const [key, member] of Object.entries(value)) collect(fields, `${name}.${key}`, member, depth + 1);
}

/** A record that claims may rest on, with its items. */
export class RecordView {
  readonly record: ReadRecord;
  readonly reading: Reading;
  readonly items: readonly ItemView[];

  constructor(record: ReadRecord, reading: Reading) {
    this.record = record;
    this.reading = reading;
    this.items = record.agentResult.items.map((item) => new ItemView(item));
  }

  get empty(): boolean {
    return this.record.evidence === "NO_EVIDENCE";
  }

  get truncated(): boolean {
    return this.record.agentResult.truncated !== false;
  }

  item(itemId: string): ItemView | null {
    return this.items.find((item) => item.itemId === itemId) ?? null;
  }
}
