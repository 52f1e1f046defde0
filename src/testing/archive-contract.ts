import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AuditArchive } from "../audit/audit.ts";
import { auditRow } from "./audit-contract.ts";

/** One empty audit database. */
export interface ArchiveFixture {
  readonly archive: AuditArchive;
  /** Removes the database; the archive is closed before. */
  dispose(): Promise<void>;
}

/** What every audit promises that an operator looks after, as a vitest suite for the authors of drivers. */
export function describeArchive(name: string, makeFixture: () => Promise<ArchiveFixture>): void {
  describe(`${name}, looked after`, () => {
    let fixture: ArchiveFixture;
    let archive: AuditArchive;
    beforeEach(async () => {
      fixture = await makeFixture();
      archive = fixture.archive;
    });
    afterEach(async () => {
      await archive.close();
      await fixture.dispose();
    });
    const kept = async (): Promise<(number | null)[]> =>
      (await archive.list({ afterId: 0, limit: 10_000 })).map((row) => row.duration_ms);

    it("deletes what is older and nothing else, in batches of any size", async () => {
      for (const batchSize of [1, 7, 1_000]) {
        const before = (await kept()).length;
        await archive.record(Array.from({ length: 40 }, (_, i) => auditRow(i % 3 === 0 ? OLD : YOUNG)));
        expect(await archive.prune(LIMIT, batchSize)).toBe(14);
        expect(await kept()).toHaveLength(before + 26);
        expect(await archive.prune(LIMIT, batchSize)).toBe(0);
      }
    });

    it("finds an old row that was written after younger ones", async () => {
      await archive.record([auditRow(YOUNG), auditRow(YOUNG), auditRow(OLD), auditRow(YOUNG)]);
      expect(await archive.prune(LIMIT, 2)).toBe(1);
      expect(await kept()).toHaveLength(3);
    });

    it("keeps a row from the very second that is given", async () => {
      await archive.record([auditRow({ created_at: LIMIT }), auditRow({ created_at: "2026-03-01 11:59:59" })]);
      expect(await archive.prune(LIMIT, 100)).toBe(1);
    });

    it("writes on after its rows are gone, and takes no batch twice", async () => {
      const position = { partition: 0, epoch: "e", sequence: 2 };
      await archive.record([auditRow(OLD), auditRow(OLD)], position);
      await archive.prune(LIMIT, 100);
      await archive.record([auditRow(OLD), auditRow(OLD)], position);
      expect(await kept()).toEqual([]);
    });

    it("lets rows be written while it deletes", async () => {
      await archive.record(Array.from({ length: 300 }, () => auditRow(OLD)));
      const pruning = archive.prune(LIMIT, 10);
      for (let i = 0; i < 20; i += 1) await archive.record([auditRow({ ...YOUNG, duration_ms: i })]);
      expect(await pruning).toBe(300);
      expect(await kept()).toEqual(Array.from({ length: 20 }, (_, i) => i));
    });

    it("counts rows by tool, outcome and code", async () => {
      expect(await archive.stats()).toEqual({ rows: 0, first: null, last: null, tools: [], codes: [] });
      const failed = { success: false, relevance_level: "ERROR", error_message: "DEADLINE_EXCEEDED" } as const;
      const refused = { success: false, relevance_level: null, error_message: "DUPLICATE" } as const;
      await archive.record([
        auditRow({ created_at: "2026-01-02 03:04:05" }),
        auditRow({ relevance_level: "NO_EVIDENCE" }),
        auditRow(failed),
        auditRow(refused),
        auditRow({ ...refused, tool_name: "lookup_knowledge" }),
        auditRow({ ...refused, error_message: "text of an older program" }),
      ]);
      expect(await archive.stats()).toEqual({
        rows: 6,
        first: "2026-01-02 03:04:05",
        last: "2026-03-12 02:14:05",
        tools: [
          { tool_name: "lookup_knowledge", evidence_found: 0, no_evidence: 0, error: 0, refused: 1 },
          { tool_name: "query_logs", evidence_found: 1, no_evidence: 1, error: 1, refused: 2 },
        ],
        codes: [
          { code: "DUPLICATE", rows: 2 },
          { code: "DEADLINE_EXCEEDED", rows: 1 },
        ],
      });
    });
  });
}

const LIMIT = "2026-03-01 12:00:00";
const OLD = { created_at: "2026-02-28 23:59:59" };
const YOUNG = { created_at: "2026-03-12 02:14:05" };
