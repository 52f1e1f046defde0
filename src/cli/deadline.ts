import type { BoundaryError } from "../model/errors.ts";

/** The work, or the given error when it takes longer. The work itself goes on: whoever began it must be able to cut it off. */
export async function withinDeadline<T>(work: Promise<T>, ms: number, late: () => BoundaryError): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
