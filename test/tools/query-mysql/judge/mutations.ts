import { tokenize } from "../../../../src/tools/query-mysql/sql/lexer.ts";
import type { Random } from "./random.ts";

const WORDS = [
  ..."( ) , . * + - = < > ! ; ' ` AND OR NOT IN IS NULL LIKE BETWEEN AS ON USING JOIN LEFT NATURAL SELECT FROM WHERE".split(
    " ",
  ),
  ..."GROUP ORDER BY HAVING LIMIT OFFSET UNION ALL DISTINCT WITH CASE WHEN THEN ELSE END EXISTS ANY INTERVAL DAY".split(
    " ",
  ),
  ..."INTO FOR UPDATE OVER PARTITION ROWS COLLATE BINARY DIV MOD XOR 1 'x' id name services x.y COUNT(*) ABS(1) DESC".split(
    " ",
  ),
];

/** A statement with one to three of its words lost, doubled, changed for others or moved. */
export function mutated(random: Random, sql: string): string {
  const words = tokenize(sql, 16_384)
    .slice(0, -1)
    .map(({ at, end }) => sql.slice(at, end));
  for (let count = 1 + random.below(3); count > 0; count--) mutate(random, words);
  return words.join(" ");
}

function mutate(random: Random, words: string[]): void {
  const at = random.below(Math.max(1, words.length));
  const word = words[at] ?? "1";
  switch (random.below(5)) {
    case 0:
      words.splice(at, 1);
      break;
    case 1:
      words.splice(at, 0, word);
      break;
    case 2:
      words[at] = random.pick(WORDS);
      break;
    case 3:
      words.splice(at, 0, random.pick(WORDS));
      break;
    default:
      words[at] = words[at + 1] ?? word;
      if (at + 1 < words.length) words[at + 1] = word;
  }
}
