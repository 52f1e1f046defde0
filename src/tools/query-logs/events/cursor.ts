/** What stands between the pieces of a header. */
export const SEPARATOR: RegExp = /[ \t]{0,64}(?:(?:--|[-|:,])[ \t]{1,64}){0,2}/y;

/** Reads a position forward through a line; every expression used is sticky and bounded. */
export class Cursor {
  readonly line: string;
  at: number;

  constructor(line: string, at: number) {
    this.line = line;
    this.at = at;
  }

  peek(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    return expression.exec(this.line);
  }

  /** A second cursor, so many characters and a separator further on. */
  after(length: number): Cursor {
    const next = new Cursor(this.line, this.at + length);
    next.take(SEPARATOR);
    return next;
  }

  take(expression: RegExp): RegExpExecArray | null {
    const match = this.peek(expression);
    if (match !== null) this.at += match[0].length;
    return match;
  }
}
