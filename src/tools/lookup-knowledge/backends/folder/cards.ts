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
  /** The most telling kind of phrase first. */
  readonly paths: ReadonlySet<string>;
  /** Those named by more than a service, which many documents share. */
  readonly certain: ReadonlySet<string>;
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
  const services = named.map(({ key }) => (key.kind === "service" ? key.phrase.split(" ") : []));
  return {
    paths: new Set(named.map(({ path }) => path)),
    certain: new Set(named.filter(({ key }) => key.kind !== "service").map(({ path }) => path)),
    context: new Set(services.filter((tokens) => tokens.length > 1).flat()),
  };
}
