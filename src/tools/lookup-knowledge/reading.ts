import type { Reading } from "../../model/reading.ts";

/** Documents are background; an empty search tells of its question alone. */
export const LOOKUP_KNOWLEDGE_READING: Reading = {
  role: "knowledge",
  numbers: "prose",
  identity: "item_id",
  negative: [["query"]],
};
