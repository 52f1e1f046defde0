import { tokenizeQuery } from "../../text/tokens.ts";
import { CARD_KEY_KINDS, type CardKey, type DocumentCard, type PassageIndex } from "./passage-index.ts";

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

export interface NamedCards {
  /** Paths of the documents, the most telling kind of phrase first; false where it is only a service, which many documents share. */
  readonly certain: ReadonlyMap<string, boolean>;
  /**
   * Tokens of the question that say where something happens rather than what: a service's compound name. Every passage of
   * that service would hold them, and hardly any says so.
   */
  readonly context: ReadonlySet<string>;
}

/** The documents that a question names: one of their phrases stands in it, word for word after folding. */
export function cardsNamed(index: PassageIndex, words: readonly string[]): NamedCards {
  const question = ` ${words.join(" ")} `;
  const named = index
    .cardsByFirstToken([...new Set(words)])
    .filter(({ key }) => question.includes(` ${key.phrase} `))
    .sort((a, b) => CARD_KEY_KINDS.indexOf(a.key.kind) - CARD_KEY_KINDS.indexOf(b.key.kind));
  const certain = new Map<string, boolean>();
  const context = new Set<string>();
  for (const { path, key } of named) {
    certain.set(path, certain.get(path) === true || key.kind !== "service");
    const tokens = key.kind === "service" ? key.phrase.split(" ") : [];
    if (tokens.length > 1) for (const token of tokens) context.add(token);
  }
  return { certain, context };
}
