/** Whom a server runs as. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export function makeMariadbData(
  program: string,
  data: string,
  owner: Owner | null,
  options: readonly string[],
): Promise<void>;
