import { canonicalExpression } from "./canonical.ts";
import { foldCase } from "./characters.ts";
import { reject } from "./rejection.ts";
import type { OutputColumn, ResolvedExpression } from "./resolved.ts";
import { findColumn, readable, type Scope, type ScopeColumn } from "./scope.ts";

export interface Item {
  readonly expression: ResolvedExpression;
  readonly output: OutputColumn;
  /** Whether the statement gave it an alias. */
  readonly named: boolean;
}

type NameRule = (parts: readonly string[], at: number, insideAggregate: boolean) => ResolvedExpression | null;

/** Names behind the select list, where both columns and select aliases can be meant. MySQL's rules differ by clause. */
export class SelectNames {
  readonly #items: readonly Item[];
  readonly #scope: Scope | null;
  /** Canonical texts of the items, made when one is asked for. */
  readonly #known: string[] = [];
  /** Places of the items by their folded name. */
  readonly #places = new Map<string, number[]>();

  constructor(items: readonly Item[], scope: Scope | null) {
    this.#items = items;
    this.#scope = scope;
    items.forEach(({ output }, index) => {
      const folded = foldCase(output.name);
      const places = this.#places.get(folded);
      if (places === undefined) this.#places.set(folded, [index]);
      else places.push(index);
    });
  }

  #text(index: number): string | undefined {
    const item = this.#items[index];
    if (item === undefined) return undefined;
    this.#known[index] ??= canonicalExpression(item.expression);
    return this.#known[index];
  }

  /** Place of the item that says the same; below zero where none does. */
  #placeOf(text: string): number {
    return this.#items.findIndex((_, index) => this.#text(index) === text);
  }

  /** The output column at this place. */
  reference(index: number, at: number): ResolvedExpression {
    const output = this.#items[index]?.output;
    if (output === undefined) return reject("SQL_COLUMN", at, "there is no output column at this position");
    const { alias, name: _, ...origin } = output;
    return { kind: "column", column: { kind: "output", index, name: alias, ...origin }, at };
  }

  /** An expression that repeats a select item is printed as that item: parameters in it could not be recognised as equal. */
  folded(expression: ResolvedExpression): ResolvedExpression {
    if (expression.kind === "literal" || expression.kind === "column") return expression;
    const index = this.#placeOf(canonicalExpression(expression));
    return index < 0 ? expression : this.reference(index, expression.at);
  }

  /** ORDER BY a bare name: the alias before the column. */
  readonly orderedName: NameRule = (parts, at) => {
    const index = this.#output(parts, at);
    if (index === null) return null;
    this.#refuseHidden(parts, at);
    return this.reference(index, at);
  };

  /** Names inside of an expression of GROUP BY or ORDER BY: the column before the alias. */
  readonly innerName: NameRule = (parts, at, insideAggregate) => {
    if (insideAggregate || parts.length !== 1) return null;
    if (this.#own(parts) !== null) {
      if (this.#places.has(foldCase(parts[0] ?? ""))) this.#refuseHidden(parts, at);
      return null;
    }
    const index = this.#output(parts, at);
    return index === null ? null : this.reference(index, at);
  };

  /** GROUP BY a bare name: the column before the alias, if both mean the same; a reader would take it for the alias. */
  readonly groupedName: NameRule = (parts, at) => {
    const index = this.#output(parts, at);
    if (index === null) return null;
    const column = this.#own(parts);
    if (column === null) return this.reference(index, at);
    if (this.#items[index]?.named === true && this.#text(index) !== textOf(column, at)) {
      reject("SQL_AMBIGUOUS", at, `${parts.join(".")} is both an alias and another column; choose another alias`);
    }
    return null;
  };

  /** HAVING: what is selected or grouped by, the alias before the column. */
  havingName(grouped: readonly ResolvedExpression[]): NameRule {
    const groupTexts = grouped.map((node) => this.#textOfGroup(node));
    return (parts, at, insideAggregate) => {
      if (insideAggregate) return null;
      const index = this.#output(parts, at);
      if (index === null) return this.#groupedColumn(parts, at, groupTexts);
      this.#refuseHidden(parts, at);
      const others = this.#columnsOf(parts).map((column) => textOf(column, at));
      if (others.some((text) => text !== this.#text(index) && groupTexts.includes(text))) {
        reject("SQL_AMBIGUOUS", at, `${parts.join(".")} is both an alias and a column of GROUP BY`);
      }
      return this.reference(index, at);
    };
  }

  /** What is grouped by, also where GROUP BY names it by its position or alias. */
  #textOfGroup(node: ResolvedExpression): string {
    const isOutput = node.kind === "column" && node.column.kind === "output";
    return (isOutput ? this.#text(node.column.index) : undefined) ?? canonicalExpression(node);
  }

  #groupedColumn(parts: readonly string[], at: number, groupTexts: readonly string[]): ResolvedExpression | null {
    const found = readable(findColumn(this.#scope, parts, at), parts, this.#scope, at);
    const isOwn = this.#scope?.relations.some(({ columns, open }) => columns.includes(found) || open !== null);
    const text = textOf(found, at);
    const index = this.#placeOf(text);
    if (index >= 0) return this.reference(index, at);
    if (isOwn === true && !groupTexts.includes(text)) {
      reject("SQL_COLUMN", at, "HAVING may use selected columns, GROUP BY columns and aggregates");
    }
    return null;
  }

  /** Place of the select item of this name; null when there is none or the name is qualified. */
  #output(parts: readonly string[], at: number): number | null {
    if (parts.length !== 1) return null;
    const found = this.#places.get(foldCase(parts[0] ?? "")) ?? [];
    const [first] = found;
    if (first === undefined) return null;
    if (found.some((index) => this.#text(index) !== this.#text(first))) {
      reject("SQL_AMBIGUOUS", at, `${parts[0]} is the name of more than one selected column`);
    }
    return this.#isReferable(first) ? first : null;
  }

  /** A name made up for an expression without alias is no name for the server. */
  #isReferable(index: number): boolean {
    const item = this.#items[index];
    return item !== undefined && (item.named || item.expression.kind === "column");
  }

  #own(parts: readonly string[]): ScopeColumn | null {
    return this.#columnsOf(parts)[0] ?? null;
  }

  #columnsOf(parts: readonly string[]): readonly ScopeColumn[] {
    const folded = foldCase(parts[0] ?? "");
    return this.#scope?.visible.filter((column) => column.folded === folded) ?? [];
  }

  /** An alias that a column which is not available also has: which of the two a server takes differs by clause. */
  #refuseHidden(parts: readonly string[], at: number): void {
    if (this.#columnsOf(parts).some(({ access }) => access === "hidden")) {
      reject("SQL_AMBIGUOUS", at, `the alias ${parts.join(".")} is not clear here; choose another alias`);
    }
  }
}

function textOf({ column }: ScopeColumn, at: number): string {
  return canonicalExpression({ kind: "column", column, at });
}
