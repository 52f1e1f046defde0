import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutPieces } from "../../src/redact/pieces.ts";

describe("withoutPieces", () => {
  it.each([
    "",
    "orders",
    "order-service-v2",
    "eu-west-1a-node12-v2",
    "k8s-prod-01 / worker12 / PARTITION12",
    "SaleOrderLineRepository",
    "INC000123, ORD20260012, A12345678, WX2026031100012345",
    "utf8mb4_general_ci over IPv4/IPv6, log4j2-2.17.1, i18n-zh_CN",
    "CHECKOUT-SVC@3.6.1-rc2+build5",
    "v4.18.0",
    "2026-03-11 10:00:00.123",
    "2026-03-11T10:00:00Z, 20260311T100000Z, 2026-W11, 11-Mar-2026",
    "250ms of 512MiB, 3rd of 7, 99.95%, 1,234,567.80",
    "9223372036854775807",
    '{"id":17,"state":"closed","tags":["a","b"],"share":0.25,"at":"2026-03-11"}',
    "1,2,3,4,5,6,7,8,9,10",
    "A,B,A,C,A,B,A,A,C",
    "status=failed&retries=3&wait=250ms&zone=eu-west-1",
    "支付服务 payment-svc-2 在 10:15 超时 3 次，共 12000 单",
    "password was wrong, please check the user's name",
    "held [[secret:pw]] and [[host:ab2c3d4e5f6g]]",
  ])("leaves what is plain: %s", (text) => {
    expect(withoutPieces(text)).toBe(text);
  });

  it.each([
    ["with p=Ledger-2VG3spEV and", "with p=[[secret:generic]] and"],
    ["p=hunter2", "p=[[secret:generic]]"],
    ["p: Winter2024!", "p: [[secret:generic]]"],
    ["=Ledger-2", "=Ledger-2"],
    ["2VG3spEV and closed", "[[secret:generic]] and closed"],
    ["VG3spEV", "[[secret:generic]]"],
    ["desolc dna VEps3GV2-regdeL", "desolc dna [[secret:generic]]"],
    ["LEDGER-2VG3SPEV", "[[secret:generic]]"],
    ["70617373776F72643D4C6564676572", "[[secret:generic]]"],
    ["cGFzc3dvcmQ9TGVkZ2Vy", "[[secret:generic]]"],
    ["aGVsbG8gd29ybGQgYWdhaW4=", "[[secret:generic]]="],
    ["aBcDeFgHi", "[[secret:generic]]"],
    ["QWxhZGRpbkxhbXBlTWFnaWM", "[[secret:generic]]"],
    ["5f4dcc3b5aa765d61d8327deb882cf99", "[[secret:generic]]"],
    ["3f8a1c52-77b0-4e1d-9c3a-0b6f2d1e8a47", "[[secret:generic]]"],
    ["123456789012345678901234567890", "[[secret:generic]]"],
    ["P@ssw0rd#77", "[[secret:generic]]"],
    ["AB12-CD34-EF56-GH78", "[[secret:generic]]"],
    ["L e d g e r - 2 V G 3", "[[secret:generic]]"],
    ["L,e,d,g,e,r,2,V,G,3", "[[secret:generic]]"],
    ["密码为2VG3spEVx，已关闭", "密码为[[secret:generic]]，已关闭"],
    ['{"p":"2VG3spEV","n":3}', '{"p":"[[secret:generic]]","n":3}'],
  ])("holds back what may be a piece of a secret: %s", (text, shown) => {
    expect(withoutPieces(text)).toBe(shown);
  });

  it("changes nothing the second time, keeps placeholders and keeps JSON valid", () => {
    const part = fc.constantFrom("[[secret:pw]]", "[[ip:abcdefgh]]", "2VG3spEV", "a", "=", " ", "-", "9", "Z", "中");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const once = withoutPieces(parts.join(""));
        expect(withoutPieces(once)).toBe(once);
        const placeholders = parts.filter((each) => each.startsWith("[["));
        expect(once.match(/\[\[(?:secret:pw|ip:abcdefgh)\]\]/g) ?? []).toEqual(placeholders);
        JSON.parse(withoutPieces(JSON.stringify({ parts, text: parts.join("") })));
      }),
    );
  });

  it("shows no random token, whichever way it was encoded", () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...(["hex", "base64", "base64url"] as const)), (seed, encoding) => {
        const token = createHash("sha256").update(String(seed)).digest(encoding);
        expect(withoutPieces(`with ${token} here`)).not.toContain(token.slice(0, 24));
      }),
    );
  });

  it("takes time in proportion to the text", () => {
    const texts = ["a1-".repeat(40_000), "a ".repeat(60_000), "=".repeat(100_000), `${"!".repeat(99_999)}a`];
    texts.push(randomBytes(60_000).toString("base64"));
    const start = performance.now();
    for (const text of texts) withoutPieces(text);
    expect(performance.now() - start).toBeLessThan(1_500);
  });
});
