import type { Reading } from "../../model/reading.ts";

/** An empty result tells of one datasource or of the tables that were read. */
export const QUERY_MYSQL_READING: Reading = {
  role: "observation",
  numbers: "facts",
  identity: "content",
  negative: [["datasource"], ["tables"]],
};
