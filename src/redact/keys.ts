import type { IdentifierKind, SecretKind } from "./policy.ts";

/** How far a key's name alone proves that its value is secret. */
export type Strength =
  /** Any value is: a dictionary word, a PIN, a default. */
  | "any"
  /** Words of a sentence and small numbers are not. */
  | "token"
  /** Only what looks made up by a machine is: names such as `auth`, `sid` or `sign` also hold other things. */
  | "random";

/** A key whose value is a secret. */
export type SecretClass = { readonly role: "secret"; readonly kind: SecretKind; readonly strength: Strength };

export type KeyClass =
  | SecretClass
  | { readonly role: "identifier"; readonly kind: IdentifierKind }
  /** `Authorization` and `Cookie` have a grammar of their own. */
  | { readonly role: "authorization" | "cookie" }
  /** A dotted quad under such a key is no address. */
  | { readonly role: "version" }
  /** Half of a pair such as `{"name": "DB_PASSWORD", "value": "…"}`. */
  | { readonly role: "name" | "value" };

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const PASSWORD = words(
  "password passwd pwd passcode passphrase passwort requirepass masterauth userpassword pgpassword psw pswd passw passwrd pword keypass storepass psk",
);
const TOKEN = words(
  "token jwt bearer accesstoken authtoken authenticitytoken csrf xsrf csrftoken xsrftoken csrfmiddlewaretoken",
);
const SECRET = words("secret clientsecret appsecret secretkey skey");
const CREDENTIAL = words("credential cred");
const API_KEY = words("apikey appkey authkey accesskey accesskeyid accesskeysecret licensekey passkey apitoken");
const SESSION_ID = words(
  "jsessionid phpsessid sessionid sessid aspsessionid cfid cftoken asp.net_sessionid connect.sid",
);
const KEY_QUALIFIER = words(
  "api access secret private auth license encryption encrypt master signing sign subscription app shared session account client " +
    "consumer service aes des rsa hmac crypto cipher security webhook ssh ssl tls decryption decrypt admin functions function " +
    "storage pass password integration ingestion instrumentation deploy write read send server developer dev partner merchant mch pay " +
    "wx wechat alipay maps google aliyun tencent oss cos s3 recovery restore backup root user data vault unseal cookie jwt token",
);
/** A last word that speaks about the secret and is not it: `token_type`, `password_updated_at`, `secretName`. */
const ATTRIBUTE = words(
  "type version name url uri path file filename dir location at time date expire expired expires expiry expiration ttl timeout age length len " +
    "size count limit max min policy provider encoder enabled disabled required valid invalid status state format algorithm alg method mode " +
    "scope scopes issuer audience field column label hint strength manager service class bean handler filter ref accessor endpoint host " +
    "port domain days history changed change updated created rotation rotated attempts attempt retries bucket bytes used usage in on by " +
    "refresh resolver validator generator factory store cache table index idx regex pattern prefix suffix error message msg code " +
    "reset needed set exists present verified ok failed failures count num position kind model list owner user username id",
);
/** Names that hold one of the nouns and are none: pagination, public material, entity keys. */
const EXEMPT = [
  /(?:^|_)(?:next|page|prev|previous|continuation|pagination|cursor|sync|resume|watch|change|delta|list)_(?:page_)?token$/,
  /public_?key(?:_?token)?$|^existing_secret$|pull_secrets?$/,
  /^(?:keyset|token_?bucket|tokens?_?(?:used|per|left|limit)|eos|bos|pad|unk|stop|prompt|completion|max|total|input|output)_tokens?$/,
  /^(?:primary|foreign|partition|sort|range|row|cache|idempotency|routing|message|object|unique|lock|group|hash)_?key$/,
];

const secret = (kind: SecretKind, strength: Strength): KeyClass => ({ role: "secret", kind, strength });

const PHONE = words("phone mobile tel telephone cellphone cell msisdn phoneno phonenumber mobileno mobilephone telno");
const ID_CARD = words("idcard idno certno identityno idnumber idcardno identitycard certid cardid idcode credno");
const BANK_CARD = words("bankcard cardno cardnumber pan bankcardno bankaccount creditcard acctno debitcard");
const HOST = words(
  "host hostname server servername node nodename computer computername machine machinename upstream broker master slave replica peer " +
    "hostandport fqdn workstation instance endpoint remotehost nameserver bootstrap seeds authority worker relay",
);
const OTP_NOUN = words(
  "otp totp mfa captcha smscode verifycode verificationcode authcode checkcode vcode onetimepassword kaptcha",
);
const CODE_QUALIFIER = words(
  "sms verify verification verifying otp totp mfa captcha check auth login security confirm confirmation activation pass dynamic email one",
);

/** Words of a key in lower case: `spring.dataSource.DB_PWD2` → spring, data, source, db, pwd. */
export function splitKey(key: string): readonly string[] {
  const spaced = key
    .slice(-96)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2");
  const parts = spaced.toLowerCase().split(/[^a-z0-9]+/);
  return parts.map((part) => (/[a-z]/.test(part) ? part.replace(/\d+$/, "") : "")).filter((part) => part !== "");
}

const singular = (word: string): string =>
  word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;

/** What the name of a key, column, header or flag says about its value; null when it says nothing. */
export function classifyWords(parts: readonly string[]): KeyClass | null {
  const last = parts.at(-1);
  if (last === undefined) return null;
  const name = parts.join("_");
  if (EXEMPT.some((pattern) => pattern.test(name))) return null;
  return headerClass(name) ?? secretClass(parts, singular(last)) ?? identifierClass(parts, last) ?? siblingClass(parts);
}

function headerClass(name: string): KeyClass | null {
  if (/(?:^|_)(?:proxy_)?authorization$/.test(name)) return { role: "authorization" };
  if (/^(?:http_|x_|request_|response_)?(?:set_)?cookies?$/.test(name)) return { role: "cookie" };
  return null;
}

function secretClass(parts: readonly string[], last: string): KeyClass | null {
  const before = parts.at(-2) ?? "";
  return (
    nounClass(last, before) ??
    keyNounClass(parts, last, before) ??
    codeClass(parts, last, before) ??
    innerClass(parts, last)
  );
}

const BY_LAST: ReadonlyMap<string, KeyClass> = new Map(
  (
    [
      [PASSWORD, secret("pw", "any")],
      [words("pin upin community"), secret("pw", "token")],
      [words("ticket assertion samlresponse"), secret("tkn", "random")],
      [TOKEN, secret("tkn", "token")],
      [SECRET, secret("generic", "token")],
      [CREDENTIAL, secret("cred", "token")],
      [SESSION_ID, secret("sess", "token")],
      [words("sid session sess"), secret("sess", "random")],
      [words("signature sign sig hmac"), secret("sig", "random")],
      [words("cookie setcookie"), secret("sess", "token")],
      [API_KEY, secret("akey", "token")],
      [words("auth"), secret("cred", "random")],
    ] as const
  ).flatMap(([names, found]) => [...names].map((name) => [name, found] as const)),
);
/** Whose `pw` it is; behind any other word it may be the end of a password itself. */
const PW_OWNER = words(
  "db bind my web sys system ssh ftp sftp smtp imap ldap login mail wifi vpn svc sudo mysql pg redis jdbc http new old",
);
const BY_LAST_TWO: ReadonlyMap<string, KeyClass> = new Map([
  ...["word", "wd", "phrase", "code"].map((name) => [`pass_${name}`, secret("pw", "any")] as const),
  ["saml_response", secret("tkn", "random")],
  ["session_id", secret("sess", "token")],
  ["sess_id", secret("sess", "token")],
  ["secret_id", secret("cred", "random")],
  ["code_verifier", secret("generic", "token")],
  ["totp_seed", secret("generic", "token")],
  ["otp_seed", secret("generic", "token")],
]);
/** Nouns written together with what stands before them: `dbpassword`, `xauthtoken`. */
const BY_ENDING: readonly (readonly [RegExp, KeyClass])[] = [
  [/(?:password|passwd|passphrase|passcode|(?:bind|root|admin|user|db|my|ssh|ftp|smtp|ldap)pw)$/, secret("pw", "any")],
  [/.token$/, secret("tkn", "token")],
  [/.secret$/, secret("generic", "token")],
  [/(?:apikey|secretkey|accesskey|privatekey)$/, secret("akey", "token")],
];

function nounClass(last: string, before: string): KeyClass | null {
  if (last === "pass" || (last === "pw" && before === "")) return secret("pw", before === "" ? "token" : "any");
  if (last === "pw" && (PW_OWNER.has(before) || KEY_QUALIFIER.has(before))) return secret("pw", "any");
  return (
    BY_LAST.get(last) ??
    BY_LAST_TWO.get(`${before}_${last}`) ??
    BY_ENDING.find(([pattern]) => pattern.test(last))?.[1] ??
    null
  );
}

function keyNounClass(parts: readonly string[], last: string, before: string): KeyClass | null {
  if (last === "key") return secretKey(before);
  return last === "id" && before === "key" && parts.at(-3) === "access" ? secret("akey", "token") : null;
}

const SURE_KEY = words(
  "api access secret private auth license encryption master signing subscription app shared preshared session pass password account",
);

function secretKey(before: string): KeyClass | null {
  if (SURE_KEY.has(before)) return secret("akey", "token");
  return before === "" || before === "x" || KEY_QUALIFIER.has(before) ? secret("akey", "random") : null;
}

function codeClass(parts: readonly string[], last: string, before: string): KeyClass | null {
  if (OTP_NOUN.has(last)) return secret("otp", "random");
  if (last !== "code") return null;
  if (before === "js" || before === "authorization" || before === "oauth" || before === "device")
    return secret("tkn", "random");
  if (CODE_QUALIFIER.has(before)) return secret("otp", "random");
  return parts.length === 1 ? { role: "secret", kind: "tkn", strength: "random" } : null;
}

/** `reset_password_key`, `pwd_hash`, `secret_string`, `token_value`: the noun stands inside and the last word is no attribute of it. */
function innerClass(parts: readonly string[], last: string): KeyClass | null {
  if (ATTRIBUTE.has(last)) return null;
  const inner = parts.slice(0, -1).findLast((word) => PASSWORD.has(word) || /^(?:pw|secret|token)$/.test(word));
  if (inner === undefined) return null;
  if (
    /^(?:hash|hashed|digest|value|string|data|key|old|new|raw|plain|plaintext|text|enc|encrypted|confirm|confirmation|again|str|val)$/.test(
      last,
    )
  ) {
    return secret(inner === "token" ? "tkn" : inner === "secret" ? "generic" : "pw", "token");
  }
  return null;
}

function identifierClass(parts: readonly string[], last: string): KeyClass | null {
  const two = `${parts.at(-2) ?? ""}${last}`;
  const is = (set: ReadonlySet<string>): boolean => set.has(last) || set.has(two);
  if (is(PHONE)) return { role: "identifier", kind: "phone" };
  if (is(ID_CARD)) return { role: "identifier", kind: "idcard" };
  if (is(BANK_CARD)) return { role: "identifier", kind: "bankcard" };
  if (last === "pid" || last === "ppid" || two === "processid" || two === "mainpid")
    return { role: "identifier", kind: "pid" };
  if (two === "containerid") return { role: "identifier", kind: "container" };
  return HOST.has(last) || HOST.has(two) ? { role: "identifier", kind: "host" } : null;
}

function siblingClass(parts: readonly string[]): KeyClass | null {
  const last = parts.at(-1) as string;
  if (/^(?:version|release|build|firmware|oid|revision|ver)$/.test(last)) return { role: "version" };
  if (/^(?:name|key|header|variable|field|parameter|param|property|attribute|option)$/.test(last) && parts.length <= 2)
    return { role: "name" };
  return /^(?:value|val|values|content|default)$/.test(last) && parts.length <= 2 ? { role: "value" } : null;
}

const CHINESE: readonly (readonly [RegExp, KeyClass])[] = [
  [/(?:密码|密碼|口令|暗号)$/, secret("pw", "any")],
  [/(?:动态码|動態碼|验证码|驗證碼|校验码|短信码|动态密码|动态口令)$/, secret("otp", "random")],
  [/(?:令牌|权杖|權杖|票据)$/, secret("tkn", "token")],
  [/(?:密钥|密鑰|秘钥|秘鑰|私钥|私鑰|授权码|授權碼)$/, secret("generic", "token")],
  [/(?:凭证|憑證|凭据|憑據)$/, secret("cred", "token")],
  [/(?:会话ID|会话标识|會話ID|会话号|会话id)$/, secret("sess", "token")],
  [/(?:签名|簽名)$/, secret("sig", "random")],
  [/(?:手机号|手机号码|手機號|手機號碼|电话|電話|联系电话|联系方式|手机)$/, { role: "identifier", kind: "phone" }],
  [/(?:身份证|身份证号|身份證|证件号|证件号码|證件號碼|身份证号码)$/, { role: "identifier", kind: "idcard" }],
  [/(?:卡号|卡號|银行卡|銀行卡|账号|帐号|帳號|賬號|账户|帳戶)$/, { role: "identifier", kind: "bankcard" }],
  [
    /(?:主机|主機|主机名|主機名|服务器|伺服器|节点|節點|源库|目标库|實例|实例|机器)$/,
    { role: "identifier", kind: "host" },
  ],
  [/(?:进程|進程|进程号|進程號|进程ID|进程id)$/, { role: "identifier", kind: "pid" }],
];

/** The same for a Chinese key: the longest noun at its end counts. */
export function classifyChinese(key: string): KeyClass | null {
  for (const [pattern, found] of CHINESE) if (pattern.test(key)) return found;
  return null;
}
