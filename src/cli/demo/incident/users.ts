import { ALPHANUMERIC, createRandom, HEX } from "./random.ts";
import { LOGGED } from "./story.ts";

/** A row of `users`: two columns that come out masked, two that a model cannot even name. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly country: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly email: string;
  readonly phone: string;
  readonly passwordHash: string;
  readonly apiToken: string;
}

export const USER_COUNT = 420;
const DAY = 86_400_000;

/** The shop's customers, made up. */
export function users(): readonly User[] {
  const random = createRandom(0x05e5);
  return Array.from({ length: USER_COUNT }, (_, i) => {
    const username = `${random.pick(["mei", "jonas", "aiko", "lina", "omar", "wei", "petra", "tomas"])}${i + 1}`;
    return {
      id: i + 1,
      username,
      country: random.pick(["CN", "DE", "JP", "US", "SG"]),
      createdAt: LOGGED.from - random.between(30, 900) * DAY,
      email: `${username}@mailbox.harbor.internal`,
      phone: `13${random.between(5, 9)}${random.text("0123456789", 8)}`,
      passwordHash: `$2b$12$${random.text(ALPHANUMERIC, 53)}`,
      apiToken: `hbt_${random.text(HEX, 32)}`,
    };
  });
}
