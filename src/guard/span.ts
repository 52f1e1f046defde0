import { DAY_MS } from "./moment.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Words for lengths of time. Months and years as short as they can be, so that a window of one is long enough. */
const LENGTHS: readonly (readonly [words: RegExp, length: number])[] = [
  [/^(?:min(?:ute)?s?|分钟?)$/i, MINUTE_MS],
  [/^(?:h|hrs?|hours?|小时|钟头)$/i, HOUR_MS],
  [/^(?:d|days?|nights?|天|日|晚)$/i, DAY_MS],
  [/^(?:weeks?|周|星期|礼拜)$/i, 7 * DAY_MS],
  [/^(?:months?|月)$/i, 28 * DAY_MS],
  [/^(?:quarters?|季度)$/i, 90 * DAY_MS],
  [/^(?:years?|年)$/i, 365 * DAY_MS],
];

/** Number words; those that name no number stand for the least that they may mean. */
const AMOUNTS: Readonly<Record<string, number>> = {
  half: 0.5,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  couple: 2,
  few: 2,
  several: 3,
  many: 3,
  半: 0.5,
  两: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  十: 10,
  几: 2,
  数: 2,
  多: 2,
};

const WORD = "(min(?:ute)?s?|hrs?|hours?|days?|nights?|weeks?|months?|quarters?|years?)";
const AMOUNT = "(?:(\\d+(?:\\.\\d+)?|half|two|three|four|five|six|seven|eight|nine|ten|twelve|couple|few|several|many)";
const ENGLISH: readonly RegExp[] = [
  new RegExp(
    `\\b(?:past|last|previous|preceding|whole|entire|for|over|throughout|during|in|within)(?: the| at least| more than| over| about){0,2}(?: past| last| previous)?(?: an?| one)? ${AMOUNT}(?: of)?(?: an?)?[ -]?)?${WORD}\\b`,
    "gi",
  ),
];
const CHINESE_AMOUNT = "(\\d+(?:\\.\\d+)?|[一二两三四五六七八九十几数多半])\\s?";
const CHINESE_WORD = "(分钟|小时|钟头|天|日|周|星期|礼拜|月|季度|年)";
const CHINESE: readonly RegExp[] = [
  new RegExp(`(?:过去|最近|近|前|连续|长达|整整|这)的?\\s?${CHINESE_AMOUNT}个?${CHINESE_WORD}`, "g"),
  new RegExp(`(?<![\\d年月:-])${CHINESE_AMOUNT}个?(?:多)?${CHINESE_WORD}(?:以内|之内|内|里|以来|间|都|来)`, "g"),
];

const DAY_LONG =
  /\b(?:today|tonight|overnight|yesterday|last night|all (?:day|night)|every ?day)\b|今天|今日|今晚|当天|当日|全天|整天|整晚|整夜|通宵|昨天|昨日|昨晚|每[天日](?:都|均)/i;
const WEEK_LONG = /\b(?:this week|all week)\b|[本这上]个?(?:周|星期)|整周/i;
const MONTH_LONG =
  /\bthis month\b|\bin (?:January|February|March|April|June|July|August|September|October|November|December|May(?= \d{4}))\b(?! \d{1,2}\b(?!:))|[本这上]个?月|整月|(?<!年\s?)\d{1,2}\s?月份/i;
const YEAR_LONG = /\bthis (?:year|quarter)\b|今年|去年|本季度|本年/i;

const CALENDAR: readonly (readonly [words: RegExp, length: number])[] = [
  [DAY_LONG, DAY_MS],
  [WEEK_LONG, 7 * DAY_MS],
  [MONTH_LONG, 28 * DAY_MS],
  [YEAR_LONG, 90 * DAY_MS],
];

/** The longest stretch of time that a text names by its length, `the last 24 hours`, `过去一周`, or by the calendar; 0 without one. */
export function longestSpan(text: string): number {
  const named = CALENDAR.filter(([words]) => words.test(text)).map(([, length]) => length);
  const measured = [...ENGLISH, ...CHINESE].flatMap((form) => [...text.matchAll(form)]).map(lengthOf);
  return Math.max(0, ...named, ...measured);
}

const LENGTH_BEFORE = new RegExp(
  `${AMOUNT}(?: of)?(?: an?)?[ -]?|\\b(?:the|an|one) )${WORD} (?:from|after|since|starting(?: at| from)?|beginning(?: at)?)\\s*$`,
  "i",
);
const LENGTH_BEHIND = new RegExp(`^\\s?(?:起|后|之后|以后|开始)的?\\s?${CHINESE_AMOUNT}个?${CHINESE_WORD}`);

/** The length of a stretch whose start stands between the two texts: `the half hour from`, `起 10 分钟`; null without one. */
export function lengthFrom(before: string, behind: string): number | null {
  const found = LENGTH_BEFORE.exec(before.slice(-60)) ?? LENGTH_BEHIND.exec(behind.slice(0, 24));
  return found === null ? null : lengthOf(found);
}

function lengthOf([, amount, word = ""]: RegExpMatchArray): number {
  const unit = LENGTHS.find(([words]) => words.test(word))?.[1] ?? 0;
  return unit * amountOf(amount?.toLowerCase(), word);
}

/** `for days` are two at least, `the last day` is one. */
function amountOf(amount: string | undefined, word: string): number {
  if (amount === undefined) return /s$/i.test(word) ? 2 : 1;
  return AMOUNTS[amount] ?? (/^\d/.test(amount) ? Number(amount) : 1);
}
