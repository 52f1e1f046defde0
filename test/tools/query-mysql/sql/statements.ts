import fc from "fast-check";

const names = fc.constantFrom(
  "b.id",
  "b.title",
  "b.genre",
  "b.price",
  "b.stock",
  "s.id",
  "s.quantity",
  "s.total",
  "s.state",
);
const strings = fc.array(fc.constantFrom(..."'\"`\\-/*;#%_?a中 "), { maxLength: 6 }).map((parts) => parts.join(""));
const numbers = fc.oneof(fc.integer({ min: -50, max: 50 }).map(String), fc.constantFrom("0.5", "1e2", "12.50"));

export function quoteString(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

const leaf = fc.oneof(
  { weight: 4, arbitrary: names },
  numbers,
  strings.map(quoteString),
  fc.constantFrom("NULL", "TRUE"),
);

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const part = tie("expression");
  const two = (operators: readonly string[]) =>
    fc.tuple(part, fc.constantFrom(...operators), part).map(([a, operator, b]) => `(${a}) ${operator} (${b})`);
  return {
    expression: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      two(["+", "-", "*", "=", "<>", "<", ">=", "<=>", "AND", "OR", "XOR"]),
      part.map((a) => `NOT (${a})`),
      part.map((a) => `- (${a})`),
      part.map((a) => `(${a}) IS NOT NULL`),
      fc.tuple(part, part, part).map(([a, b, c]) => `(${a}) BETWEEN (${b}) AND (${c})`),
      fc.tuple(part, part, part).map(([a, b, c]) => `CASE WHEN ${a} THEN ${b} ELSE ${c} END`),
      fc.tuple(part, part).map(([a, b]) => `(${a}) NOT IN (${b}, 3)`),
      fc.tuple(part, part).map(([a, b]) => `COALESCE(${a}, ${b})`),
      fc.tuple(names, strings).map(([a, b]) => `${a} LIKE ${quoteString(`%${b}%`)}`),
      part.map((a) => `(SELECT COUNT(*) FROM sales x WHERE x.book_id = b.id AND (${a}))`),
    ),
  };
});

const joins = fc.constantFrom(
  "books b JOIN sales s ON s.book_id = b.id",
  "books b LEFT JOIN sales s ON s.book_id = b.id AND s.state = 'paid'",
  "books b, sales s",
  "(SELECT * FROM books) b CROSS JOIN (SELECT * FROM sales WHERE quantity > 0) s",
);

/** Statements over the bookshop that both MySQL and SQLite read, and mean the same by. */
export const statements: fc.Arbitrary<string> = fc
  .record({
    items: fc.array(expression, { minLength: 1, maxLength: 3 }),
    joins,
    where: fc.option(expression, { nil: undefined }),
    tail: fc.constantFrom("", " ORDER BY b.id, s.id", " ORDER BY b.id DESC, s.id LIMIT 3"),
  })
  .map(({ items, joins: from, where, tail }) => {
    const list = items.map((item, i) => `${item} AS v${i}`).join(", ");
    return `SELECT ${list} FROM ${from}${where === undefined ? "" : ` WHERE ${where}`}${tail}`;
  });
