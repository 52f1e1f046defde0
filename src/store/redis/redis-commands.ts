/**
 * The part of a Redis client that the store calls. An adapter rejects at once while there is no connection, never sends a
 * command a second time, and gives the bulk strings of a reply as Buffers. Its rejections may carry any text: none of it gets out.
 */
export interface RedisCommands {
  /** Runs a script that the server knows, or rejects with its `NOSCRIPT` reply. */
  evalSha(sha1: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  /** Runs a script by its source; the server knows it from then on. */
  eval(source: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
}
