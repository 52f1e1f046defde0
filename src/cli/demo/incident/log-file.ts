/** Lines of one log file, written in any order; an entry may have several lines. */
export class LogFile {
  readonly #entries: { readonly at: number; readonly text: string }[] = [];

  add(at: number, text: string): void {
    this.#entries.push({ at, text });
  }

  /** In order of time; entries of the same millisecond stay in the order they were added. */
  toText(): string {
    const sorted = [...this.#entries].sort((a, b) => a.at - b.at);
    return sorted.map(({ text }) => `${text}\n`).join("");
  }
}
