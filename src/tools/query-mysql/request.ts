import { z } from "zod";

/** What a model asks for. */
export interface QueryMysqlRequest {
  readonly datasource?: string;
  readonly sql: string;
}

/** The request schema of a datasource. The statement has its own limits and its own words for what is wrong with it. */
export const queryMysqlRequest: z.ZodType<QueryMysqlRequest> = z.strictObject({
  datasource: z.string().min(1).max(64).describe("Name of the datasource; leave out for the only one.").exactOptional(),
  sql: z
    .string()
    .min(1)
    .describe(
      "One SELECT in MySQL's dialect; WITH, joins, subqueries, UNION, GROUP BY and window functions are understood. " +
        "Write literals into the statement, strings in single quotes; no variables, no parameters, no second statement. " +
        "Name the columns you need, filter by time and key, and aggregate in SQL rather than reading many rows. " +
        "An identifier alias such as [[ip:…]] may be compared as a whole with a column by =, <> or IN.",
    ),
});
