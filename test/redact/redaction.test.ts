import { describe, expect, it } from "vitest";
import { newRedactor, redactText } from "./redactor.ts";

describe("field", () => {
  it("reads a value by the name of its column", () => {
    const redactor = newRedactor();
    expect(redactor.field("login_password", "monkey")).toBe("[[secret:pw]]");
    expect(redactor.field("mobile", "13812345679")).toMatch(/^\[\[phone:/);
    expect(redactor.field("db_host", "depot7.acme.cn")).toMatch(/^\[\[host:/);
    expect(redactor.field("note", "call 10.1.2.3")).toMatch(/^call \[\[ip:/);
  });

  it("leaves numbers, nulls and booleans as they are unless the name makes them secret", () => {
    const redactor = newRedactor();
    expect(redactor.field("amount", 12)).toBe(12);
    expect(redactor.field("password_set", true)).toBe(true);
    expect(redactor.field("password", null)).toBeNull();
    expect(redactor.field("payPassword", 445566)).toBe("[[secret:pw]]");
    expect(redactor.field("pid", 8123)).toMatch(/^\[\[pid:/);
  });

  it("gives a value in a column the alias it has in text", () => {
    const redactor = newRedactor();
    const alias = redactor.field("client_ip", "10.1.2.3");
    expect(redactor.text("from 10.1.2.3 at last")).toBe(`from ${alias} at last`);
    expect(redactor.text("update t set phone='13812345679'")).toContain(
      String(redactor.field("mobile", "13812345679")),
    );
  });
});

describe("tree", () => {
  it("looks at every member by its key and at every string by its content", () => {
    const tree = newRedactor().tree({
      request: { headers: { authorization: "Bearer k3Jd92mQx7", accept: "*/*" }, retries: 3 },
      env: [
        { name: "API_TOKEN", value: "Vv81-mm2" },
        { name: "MODE", value: "prod" },
      ],
      pair: ["X-Api-Key", "Vv81-mm2"],
      argv: ["mysql", "-uroot", "-pVv81mm2", "shop"],
    });
    expect(tree).toEqual({
      request: { headers: { authorization: "Bearer [[secret:header]]", accept: "*/*" }, retries: 3 },
      env: [
        { name: "API_TOKEN", value: "[[secret:tkn]]" },
        { name: "MODE", value: "prod" },
      ],
      pair: ["X-Api-Key", "[[secret:tkn]]"],
      argv: ["mysql", "-uroot", "-p[[secret:pw]]", "shop"],
    });
  });

  it("keeps two members whose keys are both held back", () => {
    const tree = newRedactor().tree({ ["gh" + "p_aaaa1111bbbb2222cccc"]: 1, ["gh" + "p_dddd3333eeee4444ffff"]: 2 });
    expect(tree).toEqual({ "[[secret:vendor]]": 1, "[[secret:vendor]]~2": 2 });
  });

  it("holds back the private members of a JSON web key and keeps the public ones", () => {
    const key = {
      kty: "EC",
      kid: "k-1",
      x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
    };
    expect(newRedactor().tree(key)).toEqual({ ...key, d: "[[secret:pem]]" });
  });

  it("finds a value again that a later member proves to be secret", () => {
    expect(newRedactor().tree({ log: "cache x9Kd72mQp4 miss", token: "x9Kd72mQp4" })).toEqual({
      log: "cache [[secret:tkn]] miss",
      token: "[[secret:tkn]]",
    });
  });

  it("makes a string of a number that was proven secret, wherever it stands bare", () => {
    const output = redactText('{"payPassword":95269421,"list":[95269421,7],"other":{"n":95269421},"longer":995269421}');
    expect(JSON.parse(output)).toEqual({
      payPassword: "[[secret:pw]]",
      list: ["[[secret:pw]]", 7],
      other: { n: "[[secret:pw]]" },
      longer: 995269421,
    });
  });

  it("does not throw on deep, wide or odd values", () => {
    let deep: unknown = "password=Vv81-mm2x";
    for (let depth = 0; depth < 400; depth++) deep = depth % 2 === 0 ? [deep] : { a: deep };
    const output = JSON.stringify(newRedactor().tree(deep as never));
    expect(output).not.toContain("Vv81-mm2x");
    expect(newRedactor().tree("")).toBe("");
    expect(newRedactor().tree([])).toEqual([]);
  });
});

describe("comparable", () => {
  it("puts identifiers back and lets nothing of a secret through", () => {
    const redactor = newRedactor();
    const source = "password=Vv81-mm2x9 from 10.1.2.3 by Ops@acme.io and ops@acme.io";
    const compared = redactor.comparable(redactor.text(source), source);
    expect(compared).toMatch(/^password=\uffff from 10\.1\.2\.3 by /);
    expect(compared.toLowerCase().match(/ops@acme\.io/g)).toHaveLength(2);
  });

  it("puts an identifier back as its own text spells it", () => {
    const redactor = newRedactor();
    const [one, two] = ["link/ether 02:42:AC:11:00:02 up", "link/ether 02-42-ac-11-00-02 up"];
    const [shownOne, shownTwo] = [redactor.text(one), redactor.text(two)];
    expect(redactor.comparable(shownOne, one)).toBe(one);
    expect(redactor.comparable(shownTwo, two)).toBe(two);
  });

  it("leaves aliases that this call did not give", () => {
    expect(newRedactor().comparable("[[ip:abcdefgh27]]", "[[ip:abcdefgh27]]")).toBe("[[ip:abcdefgh27]]");
  });
});

describe("a redactor", () => {
  it("counts what it held back by kind", () => {
    const redactor = newRedactor();
    redactor.text("password=Vv81-mm2 from 10.1.2.3 to 10.1.2.4");
    expect(Object.fromEntries(redactor.counts)).toEqual({ pw: 1, ip: 2 });
  });

  it("gives other aliases under another salt", () => {
    expect(newRedactor({ salt: "aa" }).text("10.1.2.3")).not.toBe(newRedactor({ salt: "bb" }).text("10.1.2.3"));
  });

  it("reads nothing inside or beside a placeholder", () => {
    for (const text of [
      "password=[[secret:pw]] x=1",
      "[[ip:abcdefgh27]]:5432",
      "token [[secret:tkn]]abcDEF123456",
      "host=[[host:abcdefgh27]].acme.lan",
    ]) {
      expect(redactText(text), text).toBe(text);
    }
  });
});
