import { z } from "zod";

export type CellValue = null | boolean | number | string | { readonly hex: string };

/** One row as a model sees it. */
export type RowItem = {
  readonly item_id: string;
  readonly cells: Readonly<Record<string, CellValue>>;
  /** Columns whose text was shortened. */
  readonly cut?: readonly string[];
};

export type QueryMysqlResult = {
  readonly items: readonly RowItem[];
  readonly columns: readonly string[];
  readonly truncated: boolean;
};

const cell: z.ZodType<CellValue> = z.union([
  z.null(),
  z.boolean(),
  z.number(),
  z.string(),
  z.strictObject({ hex: z.string().describe("Bytes that are no text, in hexadecimal.") }),
]);

export const queryMysqlResult: z.ZodType<QueryMysqlResult> = z.strictObject({
  items: z
    .array(
      z.strictObject({
        item_id: z.string().describe("Names this row of this answer; cite it exactly."),
        cells: z
          .record(z.string(), cell)
          .describe("Values by column. Decimals and integers beyond 2^53-1 are strings, dates are text."),
        cut: z.array(z.string()).readonly().describe("Columns whose text was shortened here.").exactOptional(),
      }),
    )
    .readonly(),
  columns: z.array(z.string()).readonly().describe("The columns of the answer, also when there are no rows."),
  truncated: z.boolean().describe("Whether there are more rows, or more text in a row, than is shown."),
});
