import { describe, expect, it } from "vitest";
import type { BoundaryError } from "../../src/model/errors.ts";
import { compilePolicy, type RedactionPolicy } from "../../src/redact/policy.ts";
import { createRedaction } from "../../src/redact/redaction.ts";
import { newRedactor } from "./redactor.ts";

describe("a redaction policy", () => {
  it("turns kinds off", () => {
    const redactor = newRedactor({ policy: { kinds: { ip: false } } });
    expect(redactor.text("from 10.1.2.3 password=Zx81kqLm99")).toBe("from 10.1.2.3 password=[[secret:pw]]");
  });

  it("names further keys, in any case style", () => {
    const redactor = newRedactor({ policy: { secretKeys: ["vault_blob"] } });
    expect(redactor.text('vaultBlob=abcd {"VAULT-BLOB":"efgh"}')).toBe(
      'vaultBlob=[[secret:generic]] {"VAULT-BLOB":"[[secret:generic]]"}',
    );
  });

  it("holds literals back wherever they stand and takes them for a leak", () => {
    const redactor = newRedactor({ policy: { literals: ["Project Nightjar"] } });
    expect(redactor.text("about Project Nightjar, today")).toBe("about [[secret:literal]], today");
    expect(redactor.leaks("see Project Nightjar")).toBe(true);
  });

  it("keeps values and keys that it lists with a reason", () => {
    const policy: RedactionPolicy = {
      keep: [
        { value: "10.9.9.9", reason: "documentation address of the lab" },
        { key: "build_token", reason: "public build number" },
      ],
    };
    expect(newRedactor({ policy }).text("10.9.9.9 and 10.9.9.8, buildToken=Zx81kqLm99")).toMatch(
      /^10\.9\.9\.9 and \[\[ip:\w+\]\], buildToken=Zx81kqLm99$/,
    );
  });

  it("refuses unknown kinds, short literals, nameless keys and reasons that are missing", () => {
    const wrong: readonly [unknown, string][] = [
      [{ kinds: { passwords: false } }, "kinds"],
      [{ literals: ["abc"] }, "literals"],
      [{ secretKeys: ["--"] }, "secretKeys"],
      [{ keep: [{ value: "x", reason: " " }] }, "keep"],
    ];
    for (const [policy, field] of wrong) {
      expect(() => createRedaction(policy as RedactionPolicy)).toThrow(
        expect.objectContaining({ code: "CONFIG_INVALID", field }) as BoundaryError,
      );
    }
  });

  it("has a digest of all that changes the output and of nothing else", () => {
    const digest = (policy: RedactionPolicy): string => compilePolicy(policy).digest;
    expect(digest({})).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(digest({ kinds: { ip: true }, keep: [] })).toBe(digest({}));
    expect(digest({ literals: ["aaaa", "bbbb"] })).toBe(digest({ literals: ["bbbb", "aaaa"] }));
    const all = [
      {},
      { kinds: { ip: false } },
      { secretKeys: ["x"] },
      { literals: ["abcd"] },
      { keep: [{ value: "x", reason: "y" }] },
    ];
    expect(new Set(all.map(digest)).size).toBe(all.length);
  });
});
