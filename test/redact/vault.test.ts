import { describe, expect, it } from "vitest";
import { EMPTY_MEMORY } from "../../src/model/memory.ts";
import { encodedForms, isMemorable, MAX_SECRETS, Vault } from "../../src/redact/vault.ts";
import { newRedactor } from "./redactor.ts";

const SECRET = 'tR7/pq+9"x&Wz=3k';

describe("the run memory", () => {
  it("finds a known value in each encoding", () => {
    const vault = new Vault();
    vault.addSecret(SECRET, "pw");
    const bytes = Buffer.from(SECRET);
    const forms = [
      SECRET,
      JSON.stringify(SECRET),
      JSON.stringify(JSON.stringify({ a: SECRET })),
      encodeURIComponent(SECRET),
      encodeURIComponent(encodeURIComponent(SECRET)),
      bytes.toString("hex"),
      bytes.toString("hex").toUpperCase(),
      SECRET.replaceAll('"', "&quot;").replaceAll("&W", "&amp;W"),
    ];
    for (const form of forms) expect(vault.find(`x ${form} y`).length, form).toBeGreaterThan(0);
  });

  it("finds base64 of a text around a known value, whatever the alignment", () => {
    const vault = new Vault();
    vault.addSecret(SECRET, "pw");
    for (const before of ["", "u", "us", "use", "user:"]) {
      for (const after of ["", "\n", "ab"]) {
        const encoded = Buffer.from(before + SECRET + after).toString("base64");
        expect(vault.find(encoded).length, encoded).toBe(1);
        expect(vault.find(Buffer.from(before + SECRET + after).toString("base64url")).length).toBe(1);
      }
    }
  });

  it("does not keep what is short, long, a word, a date or one sign again and again", () => {
    for (const value of [
      "short1!",
      "password",
      "Administrator",
      "some-plain-words",
      "aaaaaaaa",
      "2026-05-01T10:00",
      "x".repeat(300),
    ]) {
      expect(isMemorable(value), value).toBe(false);
    }
    for (const value of ["hunter2x", "5c0f-11ab", "95269421"]) expect(isMemorable(value), value).toBe(true);
  });

  it("keeps a bounded number of values and counts the rest", () => {
    const redactor = newRedactor();
    for (let index = 0; index < MAX_SECRETS + 3; index++) redactor.text(`password=Zq${index}-kLm${index * 7}x`);
    expect(redactor.learned().secrets).toHaveLength(MAX_SECRETS);
    expect(redactor.learned().dropped).toBe(3);
  });

  it("begins no match inside of an escape", () => {
    const vault = new Vault();
    vault.addSecret("nA7b8c9d0", "pw");
    expect(vault.find('"\\nA7b8c9d0"')).toEqual([]);
    expect(vault.find('"\\\\nA7b8c9d0"')).toHaveLength(1);
  });

  it("survives values that are no well-formed text", () => {
    expect(encodedForms("ab\ud800cdefgh12").length).toBeGreaterThan(0);
  });
});

describe("learning across texts of a run", () => {
  it("holds a proven value back in the same text and in later calls", () => {
    const first = newRedactor();
    expect(first.text("key x9Kd72mQp4 was used; token=x9Kd72mQp4")).toBe(
      "key [[secret:tkn]] was used; token=[[secret:tkn]]",
    );
    const later = newRedactor({ memory: first.learned() });
    expect(later.text("retry with x9Kd72mQp4 and eDlLZDcybVFwNA==")).not.toMatch(/x9Kd72mQp4|eDlLZDcybVFw/);
    expect(later.leaks("x9Kd72mQp4")).toBe(true);
    expect(newRedactor().leaks("x9Kd72mQp4")).toBe(false);
  });

  it("learns nothing that the memory holds already", () => {
    const first = newRedactor();
    first.text("token=x9Kd72mQp4 from 10.1.2.3");
    const second = newRedactor({ memory: first.learned() });
    second.text("token=x9Kd72mQp4 from 10.1.2.3");
    expect(second.learned()).toEqual(EMPTY_MEMORY);
  });

  it("keeps alias and value of identifiers, but of no SQL literal", () => {
    const redactor = newRedactor();
    const text = redactor.text("10.1.2.3 ran SELECT a FROM t WHERE b = 'k-77'");
    const [entry, ...rest] = redactor.learned().aliases;
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({ kind: "ip", value: "10.1.2.3" });
    expect(text.startsWith(`[[ip:${entry?.alias}]]`)).toBe(true);
  });

  it("knows a host again where nothing says that it is one", () => {
    expect(newRedactor().text("server=cargo7.depot.acme.cn up; cargo7.depot.acme.cn down")).toMatch(
      /^server=(\[\[host:\w+\]\]) up; \1 down$/,
    );
  });
});
