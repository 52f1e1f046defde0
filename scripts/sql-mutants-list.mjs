// Rules of the reader of SQL, each with the edit that switches it off. `find` stands exactly once in its file.
const SQL = "src/tools/query-mysql/sql";
const off = (rule, file, find, replace = "") => ({ rule, file: `${SQL}/${file}.ts`, find, replace });
const limit = (name, value) => off(`at most: ${name}`, "limits", `  ${name}: ${value},`, `  ${name}: 1_000_000,`);

const LOOKING_UP = [
  off("a hidden column is refused", "scope", 'found === null || found.access === "hidden"', "found === null"),
  off(
    "an unqualified name of two columns is refused",
    "scope",
    "const found = scope.visible.filter((column) => column.folded === folded);",
    "const found = scope.visible.filter((column) => column.folded === folded).slice(0, 1);",
  ),
  off(
    "a qualified name of two columns is refused",
    "scope",
    "const found = relation.columns.filter((column) => column.folded === folded);",
    "const found = relation.columns.filter((column) => column.folded === folded).slice(0, 1);",
  ),
  off(
    "the innermost scope wins",
    "scope",
    "for (let current = scope; current",
    "for (let current = scope?.outer ?? scope; current",
  ),
  off(
    "an alias of the query around a subquery is refused",
    "scope",
    "if (current !== scope) refuseAlias(current, parts, at);",
  ),
  off(
    "letters of a name are compared without case",
    "characters",
    "if (ASCII.test(name)) return name.toLowerCase();",
    "if (ASCII.test(name)) return name;",
  ),
  off(
    "a list of column names has the right length",
    "scope",
    "names.length > 0 && names.length !== outputs.length",
    "names.length < 0",
  ),
  off(
    "a derived column stays sensitive for USING",
    "scope",
    'origin.sensitive ? "sensitive" : "allowed"',
    '"allowed" as const',
  ),
  off("an alias hides the name of its table", "resolve-from", "name: node.alias ?? table.name,", "name: table.name,"),
  off(
    "a table with an alias has no schema in front",
    "resolve-from",
    "schema: node.alias === undefined ? table.schema : null,",
    "schema: table.schema,",
  ),
];

const FROM = [
  off(
    "a table that is not listed is refused",
    "resolve-from",
    "resolution.schema.table(schema, second ?? first);",
    "resolution.schema.table(schema, second ?? first) ?? { schema, name: second ?? first, columns: [], open: true };",
  ),
  off(
    "a qualified name is no table expression",
    "resolve-from",
    "node.parts.length === 1 ? ctes.get(first) : undefined",
    'ctes.get(node.parts.at(-1) ?? "")',
  ),
  off("a table has two parts at most", "resolve-from", "node.parts.length > 2 ? undefined : ", ""),
  off(
    "a derived table does not see the query around it",
    "resolve-from",
    "{ ...surroundings, outer: null }",
    "surroundings",
  ),
  off(
    "JSON_TABLE sees what stands before it",
    "resolve-from",
    "relations: before.flatMap(({ relations }) => relations),",
    "relations: [],",
  ),
  off(
    "ON sees both sides",
    "resolve-from",
    "contextOf({ relations, visible }, surroundings));",
    "contextOf(left, surroundings));",
  ),
  off(
    "USING over a hidden column is refused",
    "resolve-from",
    'column === undefined || column.access === "hidden"',
    "column === undefined",
  ),
  off(
    "USING over an ambiguous column is refused",
    "resolve-from",
    "const found = visible.filter((column) => column.folded === foldCase(name));",
    "const found = visible.filter((column) => column.folded === foldCase(name)).slice(0, 1);",
  ),
  off(
    "USING over a sensitive column is refused",
    "resolve-from",
    'if (column.access === "sensitive") reject("SENSITIVE_COLUMN", at, "a sensitive column cannot be compared");',
  ),
  off(
    "USING makes one column of two",
    "resolve-from",
    "const visible = [...kept, ...rest];",
    "const visible = [...left.visible, ...right.visible];",
  ),
  off("a right join keeps the column of its right side", "resolve-from", 'node.type === "RIGHT" ? b : a', "a"),
  off(
    "a right join shows its right side first",
    "resolve-from",
    'node.type === "RIGHT" ? [right, left] : [left, right]',
    "[left, right]",
  ),
  off(
    "NATURAL joins over real columns, hidden ones too",
    "resolve-from",
    "left.visible.filter(({ folded }) => names.has(folded))",
    'left.visible.filter(({ folded, access }) => access !== "hidden" && names.has(folded))',
  ),
  off("two tables of one name are refused", "resolve-from", "new Set(names).size < names.length", "names.length < 0"),
  off(
    "JSON_TABLE keeps where its values come from",
    "resolve-from",
    "const lineage = [...context.lineage];",
    "const lineage: string[] = [];",
  ),
];

const EXPRESSIONS = [
  off(
    "a sensitive column in an expression is refused",
    "resolve-expression",
    "return insensitive(resolveColumn(node.column.parts, node.at, context));",
    "return resolveColumn(node.column.parts, node.at, context);",
  ),
  off(
    "IS NULL may test a sensitive column",
    "resolve-expression",
    'if (operator === "IS NULL") return',
    'if (operator === ("" as string)) return',
  ),
  off(
    "a subquery that is compared gives no sensitive column",
    "resolve-expression",
    'if (node.form !== "exists") checkOutputs(query, node.at);',
  ),
  off(
    "EXISTS may look at a sensitive column",
    "resolve-expression",
    'if (node.form !== "exists") checkOutputs',
    "checkOutputs",
  ),
  off(
    "a window function stands in the select list or ORDER BY",
    "resolve-expression",
    "if (isWindow && !context.windowCalls)",
    "if (isWindow && context.depth)",
  ),
  off(
    "an aggregate does not stand in WHERE",
    "resolve-expression",
    "if (isAggregate && !context.aggregates)",
    "if (isAggregate && context.depth)",
  ),
  off(
    "an aggregate does not stand in an aggregate",
    "resolve-expression",
    "if (isAggregate) return { ...context, aggregates: false, windowCalls: false, insideAggregate: true };",
    "if (isAggregate) return { ...context, insideAggregate: true };",
  ),
  off(
    "a window does not order by an alias",
    "resolve-expression",
    'for (const { expression } of orderBy) refuseWindowAlias(expression, context, "orderBy");',
  ),
  off(
    "a window is not parted by an alias",
    "resolve-expression",
    'for (const node of partitionBy) refuseWindowAlias(node, context, "partitionBy");',
  ),
  off(
    "a named window exists",
    "resolve-expression",
    "context.windows.get(foldCase(name)) ?? reject(",
    'context.windows.get(foldCase(name)) ?? ((..._: unknown[]): string => "w")(',
  ),
  off(
    "an identifier alias is compared with a column alone",
    "resolve-expression",
    'compared?.kind !== "column" || compared.column.kind !== "field" || !compared.column.bare',
    "compared === undefined",
  ),
  off(
    "the placeholder of a secret is refused",
    "resolve-expression",
    'if (found.alias === undefined) reject("PLACEHOLDER_IN_REQUEST", node.at, "the placeholder of a secret");',
  ),
  off(
    "a subquery tells where its values come from",
    "resolve-expression",
    "for (const output of query.outputs) rememberOrigin(output, context);",
  ),
  off(
    "rows are compared with rows of their length",
    "width",
    "node.operands.some((operand) => widthOf(operand) !== width)",
    "node.operands.length < 0",
  ),
];

const NAMES = [
  off(
    "ORDER BY: an alias with the name of a hidden column is refused",
    "resolve-names",
    "if (index === null) return null;\n    this.#refuseHidden(parts, at);\n    return this.reference(index, at);",
    "if (index === null) return null;\n    return this.reference(index, at);",
  ),
  off(
    "in an expression: an alias with the name of a hidden column is refused",
    "resolve-names",
    'if (this.#places.has(foldCase(parts[0] ?? ""))) this.#refuseHidden(parts, at);',
  ),
  off(
    "HAVING: an alias with the name of a hidden column is refused",
    "resolve-names",
    "if (index === null) return this.#groupedColumn(parts, at, groupTexts);\n      this.#refuseHidden(parts, at);",
    "if (index === null) return this.#groupedColumn(parts, at, groupTexts);",
  ),
  off(
    "GROUP BY: an alias that is another column too is refused",
    "resolve-names",
    "this.#items[index]?.named === true && this.#text(index) !== textOf(column, at)",
    "parts.length < 0",
  ),
  off(
    "an alias given twice is refused",
    "resolve-names",
    "found.some((index) => this.#text(index) !== this.#text(first))",
    "parts.length < 0",
  ),
  off(
    "ORDER BY takes an alias before a column",
    "resolve-select",
    'clause === "ordered" ? names.orderedName : names.groupedName',
    "names.innerName",
  ),
  off(
    "GROUP BY may use an alias",
    "resolve-names",
    "    const column = this.#own(parts);\n    if (column === null) return this.reference(index, at);",
    "    const column = this.#own(parts);\n    if (column === null) return null;",
  ),
  off(
    "an expression takes a column before an alias",
    "resolve-names",
    "    if (this.#own(parts) !== null) {",
    "    if (parts.length < 0) {",
  ),
  off(
    "HAVING uses what is selected, grouped by or aggregated",
    "resolve-names",
    "isOwn === true && !groupTexts.includes(text)",
    "parts.length < 0",
  ),
  off(
    "HAVING: an alias that is a grouped column too is refused",
    "resolve-names",
    "others.some((text) => text !== this.#text(index) && groupTexts.includes(text))",
    "others.length < 0",
  ),
  off(
    "HAVING knows what GROUP BY names by position",
    "resolve-names",
    "(isOutput ? this.#text(node.column.index) : undefined) ?? canonicalExpression(node)",
    "canonicalExpression(node)",
  ),
  off(
    "an expression without alias has no name",
    "resolve-names",
    'item !== undefined && (item.named || item.expression.kind === "column")',
    "item !== undefined",
  ),
];

const SELECT = [
  off(
    "a star stands for what may be read",
    "resolve-select",
    'columns.filter(({ access }) => access !== "hidden")',
    "columns",
  ),
  off(
    "DISTINCT does not compare a sensitive column",
    "resolve-select",
    "if (node.distinct && outputs.some(({ sensitive }) => sensitive)) refuseComparison(node.at);",
  ),
  off(
    "a sensitive column is not ordered or grouped by",
    "resolve-select",
    'resolved.kind === "column" && resolved.column.sensitive',
    "resolved.at < 0",
  ),
  off(
    "a row is not selected",
    "resolve-select",
    'if (widthOf(expression) !== 1) reject("SQL_SYNTAX", expression.at, "a row cannot be selected");',
  ),
  off(
    "aliases differ from those of derived tables",
    "resolve-select",
    "aliasPrefixBeside(names, resolution.schema.aliasPrefix)",
    "aliasPrefixBeside([], resolution.schema.aliasPrefix)",
  ),
  off("aliases differ from real columns", "readable-schema", '  while (taken.has(prefix)) prefix += "c";'),
  off("at most so many output columns", "resolve-select", "items.length > LIMITS.outputColumns", "items.length < 0"),
  off("lineage is that of one item", "resolve-select", "  context.lineage.clear();\n"),
];

const QUERIES = [
  off(
    "a table expression sees itself only when it is recursive",
    "resolve-query",
    "recursive && bodyReads(cte.query.body, cte.name)",
    "bodyReads(cte.query.body, cte.name)",
  ),
  off(
    "two table expressions of one name are refused",
    "resolve-query",
    "if (names.has(cte.name)) reject(",
    'if (names.has("")) reject(',
  ),
  off("a table expression sees those before it", "resolve-query", "ctes.set(cte.name, made.inSight);"),
  off(
    "a table expression does not see the query around it",
    "resolve-query",
    "const inside = { ...surroundings, outer: null };",
    "const inside = surroundings;",
  ),
  off(
    "OFFSET is bounded",
    "resolve-query",
    "limit !== undefined && limit.offset > BigInt(LIMITS.offset)",
    "limit !== undefined && limit.at < 0",
  ),
  off(
    "parts of a set operation have as many columns",
    "resolve-query",
    "arms.some(({ length }) => length !== first.outputs.length)",
    "arms.length < 0",
  ),
  off(
    "a set operation is sensitive where one part is",
    "resolve-query",
    "sensitive: arms.some((outputs) => outputs[index]?.sensitive === true),",
    "sensitive: output.sensitive,",
  ),
  off(
    "a set operation that compares takes no sensitive column",
    "resolve-query",
    "if (compares && merged.some(({ sensitive }) => sensitive)) refuseComparison(at);",
  ),
  off(
    "a set operation comes from all its parts",
    "resolve-query",
    "lineage: [...new Set(arms.flatMap((outputs) => outputs[index]?.lineage ?? []))],",
    "lineage: output.lineage,",
  ),
  off(
    "a recursive table is sensitive in a later round too",
    "resolve-query",
    "if (sameOrigins(outputs, query.outputs)) {",
    "if (round >= 0) {",
  ),
  off(
    "a recursive table stands in no other",
    "resolve-query",
    'if (resolution.insideRecursive) reject("SQL_TOO_COMPLEX", cte.at, "a recursive table inside of a recursive table");',
  ),
  off("a recursive table has a condition", "resolve-query", "checkBounded(query, id, cte.at);"),
  off(
    "a recursive table begins without itself",
    "resolve-query",
    'body.kind !== "set" || bodyReads(body.first, cte.name)',
    'body.kind !== "set"',
  ),
  off(
    "names of a table expression are as many as its columns",
    "resolve-query",
    "cte.columns.length > 0 && cte.columns.length !== query.outputs.length",
    "cte.columns.length < 0",
  ),
];

const CALLS = [
  off(
    "a function that is not listed is refused",
    "parse-call",
    'if (allowed === undefined) reject("SQL_FUNCTION", token.at, "this function is not available");',
    'if (allowed === undefined) return { name: token.text, allowed: { kind: "scalar", text: "none", least: 0, most: 64 } };',
  ),
  off(
    "a function in back-ticks is refused",
    "parse-call",
    'token.kind === "word" ? FUNCTIONS.get(token.text) : undefined',
    "FUNCTIONS.get(token.value.toUpperCase())",
  ),
  off(
    "a function has its number of arguments",
    "parse-call",
    "count < allowed.least || count > allowed.most",
    "count < 0",
  ),
  off(
    "a window function has OVER",
    "parse-call",
    'if (allowed.kind === "window" && over === undefined) reject(',
    "if (allowed.least < 0) reject(",
  ),
  off(
    "text does not grow without bound",
    "check-arguments",
    "if (length !== undefined) checkGrowth(operands, length, at);",
  ),
  off(
    "growth is not nested",
    "check-arguments",
    '    if (isGrowth(node)) reject("SQL_FUNCTION", at, "functions that lengthen text cannot be nested");\n',
  ),
  off("a pattern of REGEXP is tame", "parse-predicate", "checkPattern(bare, pattern.at);"),
  off(
    "a pattern of a function is tame",
    "check-arguments",
    'if (name.startsWith("REGEXP_")) checkPattern(operands[1], at);',
  ),
  off(
    "a path is plain",
    "check-arguments",
    'if (name === "JSON_VALUE" || name === "JSON_QUERY") checkPath(operands[1], at);',
  ),
  off(
    "a collation is one of utf8mb4",
    "parse-simple",
    "/^utf8mb4_[a-z0-9_]{1,40}$/.test(name)",
    "/^[a-z0-9_]{1,40}$/.test(name)",
  ),
];

const LIMITED = [
  ...[
    ["bytes", "16_384"],
    ["tokens", "4_000"],
    ["depth", "32"],
    ["chain", "500"],
    ["inItems", "500"],
    ["arguments", "64"],
  ],
  ...[
    ["selectItems", "200"],
    ["orderItems", "64"],
    ["setArms", "8"],
    ["ctes", "16"],
    ["relations", "8"],
    ["relationsInAll", "16"],
  ],
  ...[
    ["comparisons", "8"],
    ["identifier", "64"],
    ["growth", "1_000"],
    ["pattern", "200"],
  ],
].map(([name, value]) => limit(name, value));

export const MUTANTS = [...LOOKING_UP, ...FROM, ...EXPRESSIONS, ...NAMES, ...SELECT, ...QUERIES, ...CALLS, ...LIMITED];
