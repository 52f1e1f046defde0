export type {
  KnowledgeAnswer,
  KnowledgeBackend,
  KnowledgeFilters,
  KnowledgeHit,
  SearchOptions,
} from "./lookup-knowledge/backends/backend.ts";
export {
  type FolderKnowledge,
  type FolderKnowledgeOptions,
  folderKnowledge,
} from "./lookup-knowledge/backends/folder/folder-knowledge.ts";
export { type LookupKnowledgeOptions, lookupKnowledgeTool } from "./lookup-knowledge/lookup-knowledge.ts";
export type { LogSource } from "./query-logs/backends/backend.ts";
export { type FilesSourceOptions, filesSource } from "./query-logs/backends/files/files-source.ts";
export { type QueryLogsOptions, queryLogsTool } from "./query-logs/query-logs.ts";
export type { MysqlReadOnlyExecutor, RowSet } from "./query-mysql/executor.ts";
export {
  type MysqlDatasource,
  type MysqlDatasourceOptions,
  mysqlDatasource,
} from "./query-mysql/mysql/mysql-datasource.ts";
export { type MysqlExecutorOptions, MysqlServerExecutor } from "./query-mysql/mysql/mysql-executor.ts";
export type { MysqlQueryPlan, PlanColumn } from "./query-mysql/plan.ts";
export { parseSqlPolicy, type SqlPolicy, type SqlPolicyFile, sqlPolicyFile } from "./query-mysql/policy.ts";
export { type QueryMysqlOptions, queryMysqlTool } from "./query-mysql/query-mysql.ts";
export { SQLITE_DIALECT } from "./query-mysql/sqlite/sqlite-dialect.ts";
export { SqliteReadOnlyExecutor } from "./query-mysql/sqlite/sqlite-executor.ts";
export { MysqlSqlValidator } from "./query-mysql/validator.ts";
