import { BoundaryError } from "../../../model/errors.ts";
import type { Cell, RowSet } from "../executor.ts";
import type { MysqlQueryPlan } from "../plan.ts";
import { ByteMeter } from "./byte-meter.ts";
import { type MysqlField, prepareField, type ReadCell } from "./cells.ts";
import type { MysqlCommand, MysqlConnection } from "./mysql-client.ts";

/** How reading ended: the server is through, or it still has something to send that nobody reads. */
export interface StreamEnd {
  readonly rows: RowSet;
  readonly complete: boolean;
}

/** What a row set takes beside its cells on the wire: descriptions of columns, lengths, a bit for each NULL. */
const WIRE_OVERHEAD = 1_048_576;

/**
 * Runs a plan on a connection and reads rows as they arrive, until they end or there are enough. A server that sends a cell larger
 * than all that may be kept is not listened to until its end. Rejects with what the driver or the server says, or DEADLINE_EXCEEDED.
 */
export function streamRows(
  connection: MysqlConnection,
  { sql, params, maxRows, columns }: MysqlQueryPlan,
  maxRawBytes: number,
): Promise<StreamEnd> {
  return new Promise((resolve, reject) => {
    const rows: (readonly Cell[])[] = [];
    const meter = new ByteMeter(maxRawBytes);
    const { stream } = connection;
    const mostRead = (stream?.bytesRead ?? 0) + 2 * maxRawBytes + WIRE_OVERHEAD;
    let readers: readonly ReadCell[] = [];
    let settled = false;
    const settle = (act: () => void): void => {
      if (settled) return;
      settled = true;
      connection.removeListener("error", failed);
      stream?.removeListener("data", measured);
      act();
    };
    const end = (complete: boolean, cutByBytes: boolean): void =>
      settle(() => resolve({ rows: { rows, cutByBytes }, complete }));
    const failed = (error: unknown): void => settle(() => reject(error));
    const measured = (): void => {
      if ((stream?.bytesRead ?? 0) > mostRead) end(false, true);
    };
    const described = (fields: unknown): void => {
      if (!Array.isArray(fields) || fields.length !== columns.length) failed(new BoundaryError("BACKEND_SCHEMA_ERROR"));
      // the row parser is made after this event, from what it finds here
      else readers = (fields as MysqlField[]).map(prepareField);
    };
    const arrived = (row: unknown): void => {
      if (settled || !Array.isArray(row)) return;
      const cells = readers.map((read, i) => read(row[i]));
      if (!meter.fits(cells, rows)) {
        end(false, true);
        return;
      }
      // one row beyond those that may be shown says that there are more; the statement ends there by itself
      if (rows.length > maxRows) end(false, false);
      else rows.push(cells);
    };
    connection.on("error", failed);
    stream?.on("data", measured);
    const command = start(connection, sql, params);
    command.on("error", failed);
    command.on("fields", described);
    command.on("result", arrived);
    command.on("end", () => end(true, false));
  });
}

function start(connection: MysqlConnection, sql: string, params: readonly string[]): MysqlCommand {
  return connection.execute({
    sql,
    values: [...params],
    rowsAsArray: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
  });
}
