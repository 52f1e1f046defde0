import { z } from "zod";
import { LEVELS, type Level } from "./events/level.ts";

/** The most frequent values of one `<*>`, or of a member that the events of a pattern have. */
export interface Slot {
  readonly name?: string;
  readonly distinct: number;
  readonly top: readonly { readonly value: string; readonly count: number }[];
}

/** Messages that differ in their values alone. */
export interface PatternItem {
  readonly item_id: string;
  readonly kind: "pattern";
  readonly text: string;
  readonly count: number;
  readonly level?: Level;
  readonly services?: readonly string[];
  readonly first?: string;
  readonly last?: string;
  readonly slots?: readonly Slot[];
  readonly examples?: readonly string[];
}

/** One event in full, or as much of it as there is room for. */
export interface EventItem {
  readonly item_id: string;
  readonly kind: "event";
  readonly time?: string;
  readonly level?: Level;
  readonly service?: string;
  readonly text: string;
  readonly text_bytes?: number;
}

export interface QueryLogsResult {
  readonly items: readonly (PatternItem | EventItem)[];
  readonly truncated: boolean;
  readonly matched_events: number;
  readonly patterns_omitted?: number;
  readonly observed?: { readonly from: string; readonly to: string };
  readonly backend_truncated: boolean;
  readonly projection_truncated: boolean;
  readonly line_truncated: boolean;
  readonly partial: boolean;
  readonly sampled: boolean;
  readonly tz_assumed: boolean;
  readonly unparsed_lines: number;
}

const level = z.enum(LEVELS);
const count = z.int().min(0);

const pattern: z.ZodType<PatternItem> = z.strictObject({
  item_id: z.string().describe("Names this pattern; the same in every answer. Cite it for counts."),
  kind: z.literal("pattern"),
  text: z.string().describe("A message with <*> in the place of each value. White space is shown as one blank."),
  count: count.describe(
    "How many of the matching events have this pattern; a lower bound when backend_truncated or partial.",
  ),
  level: level
    .describe("Their level; absent when they state none. Events of one text and two levels are two patterns.")
    .exactOptional(),
  services: z.array(z.string()).readonly().describe("Services they come from.").exactOptional(),
  first: z.string().describe("Time of the first of them, UTC.").exactOptional(),
  last: z.string().describe("Time of the last of them, UTC.").exactOptional(),
  slots: z
    .array(
      z.strictObject({
        name: z.string().describe("Member of the events; absent for a <*>.").exactOptional(),
        distinct: count.describe("How many different values there were."),
        top: z
          .array(z.strictObject({ value: z.string(), count }))
          .readonly()
          .describe("The most frequent of them."),
      }),
    )
    .readonly()
    .describe(
      "What stood in the place of each <*>, in their order, then members of the events by name, those of few values first.",
    )
    .exactOptional(),
  examples: z
    .array(z.string())
    .readonly()
    .describe("item_id of events of this pattern that are shown.")
    .exactOptional(),
});

const event: z.ZodType<EventItem> = z.strictObject({
  item_id: z.string().describe("Names this event; cite it exactly."),
  kind: z.literal("event"),
  time: z.string().describe("UTC; absent when the event says none.").exactOptional(),
  level: level.exactOptional(),
  service: z.string().exactOptional(),
  text: z.string().describe("The event without its time. Frames of frameworks are cut and counted in their place."),
  text_bytes: count.describe("Length of the whole text, present when it was cut.").exactOptional(),
});

const flag = (description: string): z.ZodBoolean => z.boolean().describe(description);

export const queryLogsResult: z.ZodType<QueryLogsResult> = z.strictObject({
  items: z
    .array(z.union([pattern, event]))
    .readonly()
    .describe("Patterns, most severe and most frequent first, then events by time."),
  truncated: flag(
    "Whether anything was left out: one of backend_truncated, projection_truncated, line_truncated, partial.",
  ),
  matched_events: count.describe(
    "Matching events; a lower bound when backend_truncated or partial. Keywords and pattern look at events without their " +
      "held-back secrets: what stands only inside one matches nothing.",
  ),
  patterns_omitted: count.describe("Patterns for which there was no room.").exactOptional(),
  observed: z
    .strictObject({ from: z.string(), to: z.string() })
    .describe("Times of the first and the last matching event, UTC.")
    .exactOptional(),
  backend_truncated: flag("More events match than were read. Narrow the window or the filters."),
  projection_truncated: flag("Not all patterns or examples had room here."),
  line_truncated: flag("Some texts are shown in part."),
  partial: flag("A part of the source could not be searched."),
  sampled: flag("Not every matching event is shown; the counts still count all."),
  tz_assumed: flag("Some times did not say their zone or year, and were completed by what the source declares."),
  unparsed_lines: count.describe("Events whose header was not understood; they have no time or level."),
});
