import type { Reading } from "../../model/reading.ts";

/** An empty search tells of one service, in a window or for certain words. */
export const QUERY_LOGS_READING: Reading = {
  role: "observation",
  numbers: "facts",
  identity: "item_id",
  negative: [
    ["service", "time_from"],
    ["service", "keywords"],
    ["service", "pattern"],
  ],
  total: "matched_events",
};
