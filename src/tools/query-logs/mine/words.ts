/** Words that say what happened. A column made of such words is never a wildcard: "started" and "failed" must not share a pattern. */
const STATUS_WORDS: ReadonlySet<string> = new Set(
  (
    "start started starting stop stopped stopping pause paused resume resumed running run ready fail failed failing failure " +
    "succeed succeeded success successful ok error errors warning timeout refused denied accepted rejected open opened close " +
    "closed closing up down enabled disabled active inactive online offline connected disconnected completed complete abort " +
    "aborted killed cancelled canceled created deleted updated true false yes no null none on off pending unknown invalid " +
    "valid allowed blocked expired unavailable available healthy unhealthy crashed terminated lost restored " +
    "成功 失败 超时 拒绝 错误 异常 开始 结束 启动 停止 正常 完成 取消"
  ).split(" "),
);

const STATE_NAME = /^[A-Z][A-Z_]+[A-Z]$/;

/** Whether a word is one of those that say what happened. */
export function isStatusWord(token: string): boolean {
  return STATUS_WORDS.has(wordOf(token).toLowerCase());
}

/** Whether a word names a state: a status word, or a name in capitals such as SCHEDULED. */
export function isStateName(token: string): boolean {
  return STATE_NAME.test(wordOf(token)) || isStatusWord(token);
}

function wordOf(token: string): string {
  return token.replace(/^[^\p{L}]{1,8}/u, "").replace(/[^\p{L}_]{1,8}$/u, "");
}

/** Technical names whose digits are part of the name. */
const DIGIT_NAME =
  /^(?:ip[_-]?v[46]|utf[_-]?(?:8|16|32)|sha(?:1|2|3|256|384|512)|md[45]|base64|x509|x86(?:_64)?|amd64|arm64|i[3-6]86|win(?:32|64)|u?int(?:8|16|32|64)|http2?|h2|tlsv?1(?:\.[0-3])?|sslv[23]|ssh2|oauth2|s3|ec2|k8s|log4j2?|slf4j|ext[234]|l[1-7]|p2p|b2b|iso8601|rfc\d{3,4}|e2e|i18n|ed25519|aes(?:128|192|256)|mp[34]|h26[45]|db2|neo4j|python[23]|usb[123])$/i;

export function isDigitName(word: string): boolean {
  return word.length <= 9 && DIGIT_NAME.test(word);
}

const TOP_DOMAINS: ReadonlySet<string> = new Set(
  (
    "com net org edu gov mil int info biz io dev app cloud local internal lan localdomain example invalid test arpa ac ad ae " +
    "ar at au be bg br by ca cc ch cl cn co cz de dk ee es eu fi fr gr hk hr hu id ie il in ir is it jp kr lt lu lv mx my nl " +
    "no nz pe ph pk pl pt ro rs ru se sg si sk su th tr tv tw ua uk us uz vn za"
  ).split(" "),
);

/** First labels of package names, which end in a word and not in a domain. */
const PACKAGE_ROOTS: ReadonlySet<string> = new Set("java javax jdk org com net io sun android kotlin scala".split(" "));
const LABELS = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,8}$/i;

/** A host name by its last label: `db-3.corp.example`, not `java.net` and not `order.created`. */
export function isHostName(word: string): boolean {
  const name = word.endsWith(".") ? word.slice(0, -1) : word;
  if (name.length > 253 || !LABELS.test(name)) return false;
  const labels = name.split(".");
  const last = labels.at(-1) ?? "";
  if (PACKAGE_ROOTS.has((labels[0] ?? "").toLowerCase()) || !TOP_DOMAINS.has(last.toLowerCase())) return false;
  return last === last.toLowerCase() || name === name.toUpperCase();
}

const ENTITY_NOUNS: ReadonlySet<string> = new Set(
  (
    "user username account tenant customer host hostname node server service pod container image namespace cluster " +
    "topic queue consumer table database schema bucket file plugin tag"
  ).split(" "),
);

/** Nouns that are followed by a name. */
export function isEntityNoun(word: string): boolean {
  return ENTITY_NOUNS.has(word.toLowerCase());
}

const NO_NAME =
  /^(?:\w{1,30}(?:ed|ing)|is|was|are|were|be|has|had|have|did|does|will|can|cannot|could|may|not|no|to|for|in|on|of|or|and|from|with|at|by|as|if|that|than|then|a|an|the|this|its?)\W?$/i;

/** Whether a word after such a noun can be the name: not a verb, and no small word of the sentence. */
export function canBeName(token: string): boolean {
  return !NO_NAME.test(token);
}
