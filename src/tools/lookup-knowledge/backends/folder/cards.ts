import { tokenizeQuery } from "../../text/tokens.ts";
import type { CardKey, DocumentCard, PassageIndex } from "./passage-index.ts";

/** Tokens of a phrase at most: no question is longer than that by much. */
const MAX_PHRASE = 32;

/** The phrases that name a document. A title of a single word names a topic rather than a document, so it is none. */
export function cardKeys(card: DocumentCard): CardKey[] {
  const keys: CardKey[] = [];
  const add = (kind: CardKey["kind"], texts: readonly string[], atLeast: number): void => {
    for (const text of texts) {
      const words = tokenizeQuery(text).words;
      if (words.length >= atLeast && words.length <= MAX_PHRASE) keys.push({ kind, phrase: words.join(" ") });
    }
  };
  add("error_code", card.errorCodes, 1);
  add("alias", card.aliases, 1);
  add("symptom", card.symptoms, 2);
  add("title", [card.title], 2);
  add("service", card.services, 1);
  return keys;
}

/** Paths of the documents that a question names: one of their phrases stands in it, word for word after folding. */
export function cardsNamed(index: PassageIndex, words: readonly string[]): ReadonlySet<string> {
  const question = ` ${words.join(" ")} `;
  const named = index
    .cardsByFirstToken([...new Set(words)])
    .filter(({ key }) => question.includes(` ${key.phrase} `))
    .map(({ path }) => path);
  return new Set(named);
}
