import { isJsonObject, type JsonObject, type JsonValue, utf8Bytes } from "../../../model/json.ts";
import { cutText } from "../../../redact/placeholders.ts";
import type { Redact } from "../../../redact/redact.ts";
import { eventFields, isHeaderKey, messageKey, readPairs } from "../events/formats.ts";
import type { Level } from "../events/level.ts";
import { trimTraces } from "../events/trace.ts";
import type { RawEvent } from "../raw.ts";

/** An event as it may be shown: redacted, without its time, traces trimmed. */
export interface EventView {
  readonly time: string | null;
  readonly ms: number | null;
  readonly level: Level | null;
  readonly service: string | null;
  readonly text: string;
  /** What is mined: the message, and of a trace the line that names the exception. */
  readonly message: string;
  /** Plain members of a structured event besides its message. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Whether frames of a trace or the middle of a blob were cut. */
  readonly shortened: boolean;
}

interface Redacted {
  readonly text: string;
  readonly message: string;
  readonly fields: EventView["fields"];
}

const MAX_MESSAGE = 4_096;
const MAX_KNOWN = 20_000;
const EXCEPTION_LINE =
  /^\s{0,8}(?:Caused by: )?(?:[A-Za-z_$][\w$]{0,80}\.){0,20}[A-Za-z_$][\w$]{0,120}(?:Exception|Error|Interrupt|Exit|Warning)(?::|$)/;
const PYTHON_HEAD = /^Traceback \(most recent call last\):/m;

/** Redacts events. Keeps what it has redacted, since logs repeat themselves; the result does not depend on that. */
export class EventRedactor {
  readonly #redact: Redact;
  readonly #texts = new Map<string, string>();
  readonly #services = new Map<string, string>();

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  view(event: RawEvent): EventView {
    const redacted = event.form === "text" ? this.#plain(event) : this.#structured(event);
    const { text, cut } = trimTraces(redacted.text);
    const shown = shortenBlobs(text);
    return {
      time: event.time,
      ms: event.time === null ? null : Date.parse(event.time),
      level: event.level,
      service: event.service === null ? null : this.#service(event.service),
      text: shown,
      message: cutText(minedMessage(redacted.message), { maxChars: MAX_MESSAGE }),
      fields: redacted.fields,
      shortened: cut > 0 || shown !== text,
    };
  }

  /** The whole event as a filter may look at it: its secrets held back, its identifiers in clear. Never to be shown. */
  comparable({ form, text, body }: RawEvent): string {
    const from = form === "text" ? body : 0;
    const source = text.slice(from);
    return text.slice(0, from) + this.#redact.comparable(this.#text(source), source);
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const redacted = this.#redact.text(text);
    if (this.#texts.size >= MAX_KNOWN) this.#texts.clear();
    this.#texts.set(text, redacted);
    return redacted;
  }

  #service(service: string): string {
    let shown = this.#services.get(service);
    if (shown === undefined) {
      const value = this.#redact.field("service", service);
      shown = typeof value === "string" ? value : JSON.stringify(value);
      this.#services.set(service, shown);
    }
    return shown;
  }

  /** The whole text is redacted at once, all its lines, because a secret may stand across lines or need its neighbours to be seen. */
  #plain(event: RawEvent): Redacted {
    const text = this.#text(event.text.slice(event.body));
    const header = event.at > event.body ? this.#text(event.text.slice(event.body, event.at)) : "";
    const tail = event.until > 0 ? this.#text(event.text.slice(event.until)) : "";
    const fits = text.startsWith(header) && text.endsWith(tail) && text.length >= header.length + tail.length;
    const message = fits
      ? text.slice(header.length, text.length - tail.length)
      : this.#text(event.text.slice(event.at, event.until || undefined));
    return { text, message, fields: [] };
  }

  #structured(event: RawEvent): Redacted {
    const fields = event.form === "json" ? eventFields(event.text) : readPairs(event.text);
    if (fields === null) return this.#plain(event);
    const shown = this.#redact.tree(fields);
    if (!isJsonObject(shown)) return this.#plain(event);
    const told = (name: string): boolean => isToldApart(name, fields[name], event);
    return structuredText(shown, told);
  }
}

/** The message first, then the other members as JSON, stack traces on lines of their own. */
function structuredText(fields: JsonObject, told: (name: string) => boolean): Redacted {
  const key = messageKey(fields);
  const message = key === null ? "" : String(fields[key]);
  const rest = Object.entries(fields).filter(([name]) => name !== key && !told(name));
  const isBlock = (value: JsonValue): boolean => typeof value === "string" && value.includes("\n");
  const flat = rest.filter(([, value]) => !isBlock(value));
  const members = flat.length === 0 ? "" : JSON.stringify(Object.fromEntries(flat));
  const head = [message, members].filter((part) => part !== "").join(" ");
  const blocks = rest.filter(([, value]) => isBlock(value)).map(([name, value]) => `${name}: ${String(value)}`);
  const text = [head, ...blocks].join("\n");
  const plain = flat.filter(([, value]) => value !== null && typeof value !== "object");
  return {
    text,
    message: message === "" ? text : message,
    fields: message === "" ? [] : plain.map(([name, value]) => [name, String(value)] as const),
  };
}

/** Whether a member is one of those that the item tells apart from its text: time, level, service. */
function isToldApart(name: string, value: JsonValue | undefined, event: RawEvent): boolean {
  if (typeof value === "string" && value === event.service) return true;
  return isHeaderKey(name) && (event.time !== null || event.level !== null);
}

/** Base64 and the like: long runs without a blank, of both cases and digits. */
const BLOB = /[A-Za-z0-9+/_=-]{256,}/g;
const BLOB_START = 24;

function shortenBlobs(text: string): string {
  if (text.length < 256) return text;
  return text.replace(BLOB, (run) =>
    /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run)
      ? `${run.slice(0, BLOB_START)}...(${run.length} characters)`
      : run,
  );
}

/** One line that tells messages apart: the first, and of a trace the exception. */
function minedMessage(message: string): string {
  const end = message.indexOf("\n");
  if (end < 0) return message;
  const first = message.slice(0, end);
  const lines = message.slice(end + 1).split("\n");
  const python = PYTHON_HEAD.test(message);
  const exception = python
    ? lines.findLast((line) => EXCEPTION_LINE.test(line))
    : lines.find((line) => EXCEPTION_LINE.test(line));
  if (exception === undefined) return first;
  return PYTHON_HEAD.test(first) ? exception : `${first} ${exception.trim()}`;
}

/** A text within so many bytes. Of a Python trace the last line stays, since it names the cause. */
export function capText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || utf8Bytes(text) <= maxBytes) return text;
  const last = text.slice(text.lastIndexOf("\n") + 1);
  const keepsLast = PYTHON_HEAD.test(text) && EXCEPTION_LINE.test(last) && utf8Bytes(last) * 2 < maxBytes;
  if (!keepsLast) return cutText(text, { maxBytes });
  return `${cutText(text, { maxBytes: maxBytes - utf8Bytes(last) - 5 })}\n...\n${last}`;
}
