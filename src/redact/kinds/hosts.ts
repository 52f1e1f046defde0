import { isAlphanumeric, isDigit } from "../chars.ts";
import type { ScanText } from "../scan-text.ts";

const words = (list: string): string => list.trim().split(/\s+/).join("|");

const HOST =
  /[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?){0,10}/y;

/** End of the host name that begins at `at`; `at` when there is none. */
export function readHost(text: string, at: number): number {
  HOST.lastIndex = at;
  return at + (HOST.exec(text)?.[0].length ?? 0);
}

const PRIVATE_SUFFIX = /\.(?:internal|corp|lan|intra|intranet|local|localdomain)$/i;
/** Database and cache endpoints whose first labels are the customer's. */
const INSTANCE_SUFFIX =
  /\.(?:rds\.amazonaws\.com(?:\.cn)?|cache\.amazonaws\.com(?:\.cn)?|docdb\.amazonaws\.com|redshift\.amazonaws\.com|mongodb\.net|rds\.aliyuncs\.com|redis\.rds\.aliyuncs\.com|mongodb\.rds\.aliyuncs\.com|kvstore\.aliyuncs\.com|database\.azure\.com|database\.windows\.net|redis\.cache\.windows\.net|documents\.azure\.com|cosmos\.azure\.com|mysql\.database\.azure\.com|tencentcdb\.com|myhuaweicloud\.com|aivencloud\.com|supabase\.co|neon\.tech|psdb\.cloud|elastic-cloud\.com|cloud\.es\.io|confluent\.cloud|tidbcloud\.com)$/i;
/** EC2, GKE, ACK, AKS and EKS node names. */
const NODE =
  /^(?:ip-\d{1,3}(?:-\d{1,3}){3}(?:\.[a-z0-9-]+)*\.?(?:ec2\.internal|compute\.internal|compute\.amazonaws\.com)?|gke-[a-z0-9-]{4,60}-[a-z0-9]{4}|(?:cn|us|ap|eu)-[a-z]+(?:-\d)?\.(?:\d{1,3}\.){3}\d{1,3}|(?:cn|us|ap|eu)-[a-z]+(?:-\d)?\.i-[a-z0-9]{8,22}|i-[0-9a-f]{8,17}|aks-[a-z0-9]+-\d{6,10}-vmss[0-9a-z]{6}|iZ[a-z0-9]{18,24}Z?|fargate-ip-\d{1,3}(?:-\d{1,3}){3}.{0,60})$/;

const ROLE = words(
  "db web app mq etl vm node cache kafka redis mysql mariadb pg postgres mongo es elastic k8s kube api gw gateway lb nginx proxy zk zookeeper hdfs " +
    "hadoop spark yarn nn dn hbase flink worker master slave server srv svr host mail smtp mx dns ns ldap vpn fw edge core build ci jenkins runner " +
    "git repo nas san storage backup bak log logs elk mon monitor prom graf job task batch cron queue rabbit consul vault etcd ceph osd compute " +
    "ctrl control bastion jump file ftp print ad dc sql oracle ora tidb tikv pd clickhouse ck doris esx hyper kvm infra ops bigdata data idc crm erp oa " +
    "pay order user auth search trade risk",
);
const SITE = words(
  "prod prd uat stg stage staging test tst dev sit pre qa dr bj sh hz gz sz cd tj nj wh xa hk sg jp us eu uk de fr in au ap cn east west north south " +
    "dc dc1 dc2 az az1 az2 idc idc1 idc2 a b c core shard master slave replica primary secondary standby node rack zone zone1 zone2 pub priv int ext main " +
    "beijing shanghai hangzhou shenzhen guangzhou live blue green cluster group cell pool",
);
const MACHINE = new RegExp(
  `^(?:(?:${ROLE})-(?:[a-z0-9]{1,12}-)?(?:${SITE})|(?:${SITE})-(?:[a-z0-9]{1,12}-)?(?:${ROLE})|(?:${ROLE})-(?:${ROLE})-?\\d)-?\\d{1,4}[a-z]?$`,
  "i",
);

/** Public roots of vendors: they name the dependency that failed, not a machine. */
const VENDOR =
  /(?:^|\.)(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|slack\.com|sendgrid\.net|sendgrid\.com|mailgun\.(?:net|org)|openai\.com|anthropic\.com|googleapis\.com|google\.com|gcr\.io|docker\.(?:io|com)|quay\.io|npmjs\.org|npmjs\.com|pypi\.org|maven\.org|apache\.org|w3\.org|oasis-open\.org|amazonaws\.com(?:\.cn)?|azure\.com|azure\.net|windows\.net|microsoft\.com|microsoftonline\.com|live\.com|office\.com|office365\.com|aliyuncs\.com|aliyun\.com|dingtalk\.com|qq\.com|weixin\.qq\.com|feishu\.cn|larksuite\.com|alipay\.com|tencentcloudapi\.com|myqcloud\.com|huaweicloud\.com|stripe\.com|paypal\.com|twilio\.com|telegram\.org|discord\.com|discordapp\.com|atlassian\.(?:net|com)|datadoghq\.com|sentry\.io|pagerduty\.com|newrelic\.com|cloudflare\.com|fastly\.net|akamai\.net|kubernetes\.io|k8s\.io|elastic\.co|hashicorp\.com|mozilla\.org|letsencrypt\.org|digicert\.com|gmail\.com|163\.com|126\.com|baidu\.com|apple\.com|facebook\.com|twitter\.com|spring\.io|oracle\.com|mysql\.com|redis\.io|mongodb\.org|python\.org|golang\.org|java\.net|debian\.org|ubuntu\.com|centos\.org|redhat\.com|ntp\.org)$/i;
const RESERVED = /(?:^|\.)(?:example\.(?:com|org|net|cn)|example|invalid|test|localhost)$/i;
const FILE_OR_CODE =
  /\.(?:js|ts|jsx|tsx|mjs|cjs|py|go|rs|java|kt|scala|rb|php|c|cc|cpp|h|cs|json|yaml|yml|xml|toml|ini|conf|cfg|properties|log|txt|md|csv|sql|sh|bat|ps1|so|dll|exe|jar|war|class|html|htm|css|png|jpg|svg|gif|gz|tar|zip|bak|tmp|lock|pid|sock|pem|crt|key|cer|p12|jks|service|socket|timer|target|slice|scope|proto|tpl|ftl)$/i;
const CLASS_LIKE = /(?:^|\.)[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*(?:\.|$)/;
const NOT_HOSTS =
  /^(?:localhost|localhost\.localdomain|none|null|nil|undefined|unknown|true|false|not|is|and|the|n\/a|status|error|failed|down|up|all|any|default|self|kubernetes\.default(?:\.svc.*)?|host\.docker\.internal|metadata\.google\.internal)$/i;

/** First words of packages, objects and modules in code. */
const CODE_HEAD =
  /^(?:java|javax|com|org|io|net|sun|jdk|cn|args|this|self|cls|opts|options|config|process|window|module|exports|state|props|ctx|data|req|res|err|obj|kwargs|settings|threading|typing|url|urllib|socket|os|sys|np|pd|params|request|response|other|parts|node|item|core)\./;

/** Whether a name is a machine's; `named` when it stands under a key such as `host` or `server`. */
export function isHostName(name: string, named: boolean): boolean {
  if (name.length < 3 || name.length > 253 || NOT_HOSTS.test(name) || RESERVED.test(name)) return false;
  if (PRIVATE_SUFFIX.test(name))
    return (
      !/^(?:java|com|org|io|net|sun|jdk|cn|args|this|self|opts|options|config|process|window|module|exports|state|props|ctx|data|req|res|err|obj|kwargs|settings|threading)\./.test(
        name,
      ) && !/^\d+$/.test(name.split(".")[0] as string)
    );
  if (INSTANCE_SUFFIX.test(name)) return name.split(".").length > 2;
  if (NODE.test(name) || MACHINE.test(name.split(".", 1)[0] as string)) return true;
  return named && isNamedHost(name);
}

function isNamedHost(name: string): boolean {
  if (VENDOR.test(name) || FILE_OR_CODE.test(name) || NOT_NAMED.test(name)) return false;
  return name.includes(".") ? isDomain(name) : isPlainHost(name);
}

/** Numbers, versions, dates, digests and quantities. */
const NOT_NAMED =
  /^(?:[\d.]+|v?\d+(?:\.\d+)+.*|\d{4}-\d\d.*|[0-9a-f]{12,}|x86[_-]64|amd64|arm64|aarch64|i[3-6]86|ppc64(?:le)?|s390x|armv\d\w*|\d+[A-Za-z]{1,3})$/;
const PLAIN_HOSTS = /^(?:[A-Za-z][A-Za-z-]*\d{1,4}[a-z]?|[A-Z][A-Z0-9]{2,}-[A-Z0-9]{4,}|(?=[^\d]*\d)\w+(?:[-_]\w+)+)$/;

const isPlainHost = (name: string): boolean => PLAIN_HOSTS.test(name);

/** Labels of a domain name, and not of a class, a property or a constant. */
function isDomain(name: string): boolean {
  if (
    name.includes("_") ||
    (CODE_HEAD.test(name) && name.split(".").length < 3) ||
    (CLASS_LIKE.test(name) && !/^[A-Z0-9-]+(?:\.|$)/.test(name))
  )
    return false;
  if (/[a-z]/.test(name) && /\.[A-Z]+$/.test(name)) return false;
  const labels = name.split(".");
  return (
    /^[a-z]{2,12}$/i.test(labels.at(-1) as string) &&
    labels.at(-1) !== "svc" &&
    labels.every((label) => label.length < 40)
  );
}

/** A word with dots or dashes: a host by its own look. `end` is behind its last character. Returns whether it was taken. */
export function scanHostWord(scan: ScanText, start: number): number {
  const { text } = scan;
  const end = readHost(text, start);
  const name = text.slice(start, end);
  const next = text[end] ?? "";
  if (next === "(" || next === "=" || (next === "-" && isAlphanumeric(text.charCodeAt(end + 1)))) return end;
  if (/[/\\]/.test(text[start - 1] ?? "") && !text.startsWith("//", start - 2) && !PRIVATE_SUFFIX.test(name))
    return end;
  if (isHostName(name, false) && !FILE_OR_CODE.test(name)) scan.add(start, end, "host");
  return end;
}

/** Words behind which a host follows, and what may stand between. */
const HOST_WORDS: Readonly<Record<string, RegExp>> = {
  unknownhostexception: /: /y,
  lookup: / (?=[\w-]+\.)/y,
  getaddrinfo: / (?:ENOTFOUND |EAI_AGAIN |failed for )?/y,
  enotfound: / /y,
  resolving: / (?:host )?["']?/y,
  host: / ["'`]?/y,
  server: / (?:at )?["'`]?/y,
  node: / ["'`]?/y,
  hostname: / ["'`]?/y,
  at: / "/y,
};
/** Words whose host may be one plain word with a number: `host app07`. */
const SURE_LEAD = /^(?:host|hostname|unknownhostexception|lookup|enotfound)$/;
export const HOST_LEADS: ReadonlySet<string> = new Set(Object.keys(HOST_WORDS));

/** One of `HOST_LEADS` ends at `end`: the name behind it. */
export function scanHostAfter(scan: ScanText, end: number, word: string): void {
  const gap = HOST_WORDS[word] as RegExp;
  gap.lastIndex = end;
  const found = gap.exec(scan.text);
  if (found !== null) scanNamedHost(scan, end + found[0].length, SURE_LEAD.test(word));
}

const NODE_USER = /(?:^|[^\w.-])(?:rabbit|kafka|erl|couchdb|emqx|ejabberd|syslog|vernemq)$/;

/** `rabbit@mq-3`: the host of an Erlang node. `at` is the sign. */
export function scanNodeHost(scan: ScanText, at: number): void {
  if (NODE_USER.test(scan.text.slice(Math.max(0, at - 12), at))) scanNamedHost(scan, at + 1, true);
}

function scanNamedHost(scan: ScanText, start: number, isSure: boolean): void {
  const { text } = scan;
  const end = readHost(text, start);
  const name = text.slice(start, end);
  if ((isSure ? /[.\d-]/ : /[.-]/).test(name) && text[end] !== "(" && text[end] !== "=" && isHostName(name, true))
    scan.add(start, end, "host");
}

const SYSLOG =
  /^(?:<\d{1,3}>\d? ?)?(?:(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d))) ([A-Za-z0-9][\w.-]{0,62}) ([\w/.@-]{1,48}(?:\([^)\n]{0,32}\))?)(?:\[(\d{1,8})\])?(:| (\d{1,8}) \S{1,32} (?:-|\[))/;

/** The host (and process id) of a syslog line, RFC 3164 and 5424. */
export function scanSyslogHeader(scan: ScanText, start: number): void {
  const first = scan.text.charCodeAt(start);
  if (!(first === 0x3c || isDigit(first) || (first >= 0x41 && first <= 0x5a))) return;
  const header = SYSLOG.exec(scan.text.slice(start, start + 260));
  if (header === null) return;
  const [whole, host = "", , , tail = "", pid] = header;
  const at = start + whole.indexOf(` ${host} `) + 1;
  if (
    !/^(?:localhost|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|stdout|stderr)$/i.test(host) &&
    !/^\d+$/.test(host) &&
    (/[\d.-]/.test(host) || pid !== undefined)
  ) {
    if (!/^(?:\d{1,3}\.){3}\d{1,3}$/.test(host)) scan.add(at, at + host.length, "host");
  }
  if (pid !== undefined) {
    const pidAt = start + whole.length - tail.length + 1;
    scan.add(pidAt, pidAt + pid.length, "pid");
  }
}
