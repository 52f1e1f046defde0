import type { GuardCode } from "../model/verdict.ts";
import type { CheckFinding, ClaimContext } from "./claim-context.ts";
import { checkQuote } from "./quote.ts";

const FORGED: readonly GuardCode[] = [
  "EG_QUOTE_NOT_FOUND",
  "EG_QUOTE_WRONG_ITEM",
  "EG_QUOTE_SPANS_ITEMS",
  "EG_QUOTE_ELLIPSIS_DROPS_NEGATION",
  "EG_QUOTE_CONFUSABLE",
];

/** Every quote of every citation; and the same evidence cited twice, unless a quote is wrong, which weighs more. */
export function checkQuotes({ citations }: ClaimContext): readonly CheckFinding[] {
  const quotes = citations.flatMap((citation): readonly CheckFinding[] => {
    const { quote } = citation.citation;
    const code = quote === undefined ? null : checkQuote(quote, citation.item, citation.view);
    return code === null ? [] : [{ code, citation }];
  });
  if (quotes.some(({ code }) => FORGED.includes(code))) return quotes;
  const repeated = citations.find((citation, i) =>
    citations.slice(0, i).some((earlier) => earlier.view === citation.view && earlier.item === citation.item),
  );
  return repeated === undefined ? quotes : [...quotes, { code: "EG_DUPLICATE_CITATION", citation: repeated }];
}
