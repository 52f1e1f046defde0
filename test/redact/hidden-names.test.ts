import { expect, it } from "vitest";
import { newRedactor, redactText } from "./redactor.ts";

const SECRET = "Zk8vQ2mXp7LwT4nB";

it.each([
  `pw=${SECRET} for admin`,
  `pa\u200bssword=${SECRET}`,
  `pass\u00adword=${SECRET}`,
  `pass\u202eword: ${SECRET}`,
  `pass\u0000word: ${SECRET}`,
  `pass\u001b[1mword\u001b[0m: ${SECRET}`,
  `密\u2060码是${SECRET}`,
  `Autho\u200brization: Bear\u200ber ${SECRET}`,
  `--pass\u200bword ${SECRET}`,
  `<pass\u200bword>${SECRET}</pass\u200bword>`,
  `{"pa\u200bssword":"${SECRET}","n":1}`,
  `{"msg":"pa\\u200bssword=${SECRET} x","n":1}`,
  `pa\\u200bssword=${SECRET} x`,
  `pa%E2%80%8Bssword=${SECRET}&x=1`,
  `user,pass\u200bword\nbob,${SECRET}`,
  `token\u00a0=\u00a0${SECRET}`,
  `ｐａｓｓｗｏｒｄ＝${SECRET}`,
  `spring.datasource.password:\n    ${SECRET}`,
  `login(user, password(${SECRET}))`,
])("holds a secret back however its name is spelt: %j", (text) => {
  const output = redactText(text);
  expect(output).not.toContain(SECRET);
  expect(redactText(output)).toBe(output);
});

it("finds a known secret that hidden characters divide", () => {
  const redactor = newRedactor();
  const divided = `${SECRET.slice(0, 4)}\u200b${SECRET.slice(4)}`;
  expect(redactor.text(`password=${SECRET} cache ${divided} miss`)).toBe(
    "password=[[secret:pw]] cache [[secret:pw]] miss",
  );
  expect(redactor.leaks(divided)).toBe(true);
});

it("keeps JSON whole when hidden characters stand around it", () => {
  const output = redactText('\u200bevent {"pid":8812,"password":4821} done');
  expect(JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1))).toMatchObject({
    password: "[[secret:pw]]",
  });
});

it.each(["", "Authorization: "])("holds the response of a digest back: %jDigest", (header) => {
  const response = "6629fae49393a05397450978507c4ef1";
  expect(redactText(`${header}Digest username="u", nonce="9f8a", response="${response}"`)).not.toContain(response);
});
