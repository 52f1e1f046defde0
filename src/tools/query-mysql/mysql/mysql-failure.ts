import { connectionErrorName } from "../../../model/connection-remedies.ts";
import { BoundaryError, type BoundaryErrorCode } from "../../../model/errors.ts";
import { describeMysqlError, mysqlErrorNumber } from "../../../model/mysql-remedies.ts";

/** Numbers of MySQL and, where it has its own, of MariaDB, by what they say of a statement that the validator allowed. */
const NUMBERS: Partial<Record<BoundaryErrorCode, readonly number[]>> = {
  // unknown database, table or column, or a table that changed while it was read
  SCHEMA_CHANGED: [1049, 1051, 1054, 1109, 1146, 1356, 1412, 1615, 1932],
  // rights on a database, table, column or routine; a login that is refused
  SOURCE_UNREADABLE: [1044, 1045, 1142, 1143, 1227, 1370, 1698, 3118],
  // stopped by the server's own clock or by somebody; a lock that was waited for in vain
  DEADLINE_EXCEEDED: [1205, 1317, 1969, 3024, 3572],
  // no connections, threads, statements, memory or disk left; shutting down; a connection that was ended
  BACKEND_UNAVAILABLE: [
    ...[1021, 1037, 1038, 1040, 1041, 1053, 1077, 1079, 1114, 1129, 1130, 1135, 1152, 1158, 1159, 1160, 1161],
    ...[1203, 1213, 1226, 1461, 1927, 3032, 3168, 3169],
  ],
  RAW_TOO_LARGE: [1104, 1153, 1162, 1260, 1301],
  // out of range, divided by zero, no date, number, JSON or path, an argument that does not fit
  QUERY_VALUE: [
    ...[1210, 1264, 1265, 1292, 1300, 1365, 1366, 1367, 1411, 1426, 1427, 1439, 1441, 1525, 1582, 1583, 1690],
    ...[3020, 3037, 3047, 3048, 3055, 3064, 3069, 3140, 3141, 3142, 3143, 3144, 3145, 3146, 3147, 3148, 3149, 3150],
    ...[3151, 3153, 3154, 3155, 3156, 3157, 3158, 3165, 3516, 3665, 3666, 3669, 3853, 3854, 3966, 3967],
    ...[4035, 4036, 4037, 4038, 4039, 4040, 4041, 4042, 4043, 4044, 4045],
  ],
  QUERY_COLLATION: [1253, 1267, 1270, 1271, 1273, 3995],
  QUERY_REGEXP: [
    ...[1139, 3684, 3685, 3686, 3687, 3688, 3689, 3690, 3691, 3692, 3693, 3694, 3695, 3696, 3697, 3698, 3699, 3700],
    ...[3887, 3900],
  ],
  QUERY_SUBQUERY: [1241, 1242],
  QUERY_GROUPING: [1055, 1056, 1111, 1140, 1247, 3028, 3029, 3065, 3066, 3087, 3088, 3593, 3594, 3602],
  // a recursion that was stopped by its depth
  PARTIAL_RESULT: [1931, 3636],
};

const CODES: ReadonlyMap<number, BoundaryErrorCode> = new Map(
  Object.entries(NUMBERS).flatMap(([code, numbers]) =>
    numbers.map((number) => [number, code as BoundaryErrorCode] as const),
  ),
);

/** Connections that were never made, or that ended. */
const LOST = /^(?:E[A-Z]+|PROTOCOL_[A-Z_]+|HANDSHAKE_[A-Z_]+|POOL_[A-Z_]+)$/;

/** What a failure of the driver or the server is called here. Nothing of its words is kept; its number is, for operators. */
export function mysqlFailure(error: unknown): BoundaryError {
  return BoundaryError.is(error) ? error : new BoundaryError(codeOf(error), undefined, describeMysqlError(error));
}

function codeOf(error: unknown): BoundaryErrorCode {
  const number = mysqlErrorNumber(error);
  if (number !== null) return CODES.get(number) ?? "BAD_QUERY";
  const name = connectionErrorName(error);
  return name !== null && LOST.test(name) ? "BACKEND_UNAVAILABLE" : "BACKEND_ERROR";
}

/** Whether a connection may be used again after this error: the server answered, and goes on listening. */
export function leavesConnection(error: unknown): boolean {
  const fatal = (error as { readonly fatal?: unknown } | null)?.fatal;
  return mysqlErrorNumber(error) !== null && fatal !== true && mysqlFailure(error).code !== "BACKEND_UNAVAILABLE";
}
