export { type ArchiveFixture, describeArchive } from "./archive-contract.ts";
export { type AuditFixture, describeAudit } from "./audit-contract.ts";
export { describeStore, type StoreUnderTest } from "./store-contract.ts";
