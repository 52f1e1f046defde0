type TokenKind = "word" | "quoted" | "string" | "number" | "hex" | "hexString" | "bit" | "symbol" | "end";

export interface Token {
  readonly kind: TokenKind;
  /** A word in upper case ASCII, a symbol as it stands; for the others the decoded value. */
  readonly text: string;
  /** The decoded value: a name or string without quotes, the digits of a number. */
  readonly value: string;
  readonly at: number;
  readonly end: number;
  /** A string with a character set in front, which cannot continue another string or be an alias. */
  readonly prefixed?: boolean;
}
