/** How the guard reads a tool's items. Stands beside the tool's projector and reaches the guard as data. */
export interface Reading {
  /** Knowledge is background: it can never prove what happened. */
  readonly role: "observation" | "knowledge";
  /** In facts a number that is not there rejects; in prose, where numbers are often written otherwise, it only warns. */
  readonly numbers: "facts" | "prose";
  /** What makes two items of different calls the same evidence: their id, or their content. */
  readonly identity: "item_id" | "content";
  /** Scope fields a negative claim must show, in disjunctive form: one of the lists, all of its fields. */
  readonly negative: readonly (readonly string[])[];
  /** Field of the agent result that counts everything that was found, shown or not; exact unless the backend was cut or partial. */
  readonly total?: string;
}

export const DEFAULT_READING: Reading = { role: "observation", numbers: "facts", identity: "content", negative: [] };
