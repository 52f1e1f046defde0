import { BOUNDARY_ERRORS, type BoundaryError } from "../model/errors.ts";

/** What an error tells an operator beyond its code's fixed sentence. */
export function detailOf({ code, message }: BoundaryError): string {
  const { sentence } = BOUNDARY_ERRORS[code];
  return message === sentence ? sentence : message.slice(sentence.length + 1);
}
