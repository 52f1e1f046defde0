import type { SecretKind } from "./policy.ts";

/** A token whose shape alone proves it. Cut tokens count too, so the patterns ask for less than the full length. */
export interface TokenShape {
  readonly prefix: string;
  /** Matched at the prefix. */
  readonly pattern: RegExp;
  readonly kind: SecretKind;
}

const shape = (prefix: string, body: string, kind: SecretKind = "vendor"): TokenShape => ({
  prefix,
  pattern: new RegExp(`${prefix.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}${body}`, "y"),
  kind,
});
const each = (prefixes: string, body: string, kind?: SecretKind): readonly TokenShape[] =>
  prefixes.split(" ").map((prefix) => shape(prefix, body, kind));

/** Written from the vendors' public documentation of their token formats; the page is named before each group. */
const TOKEN_SHAPES: readonly TokenShape[] = [
  // docs.github.com: "About authentication to GitHub", token prefixes
  ...each("ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9_]{10,251}"),
  shape("github_pat_", "[A-Za-z0-9_]{16,244}"),
  // docs.gitlab.com: "Token overview", token prefixes
  ...each(
    "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt- glrtr- GR1348941",
    "[A-Za-z0-9_.-]{10,300}",
  ),
  // docs.slack.dev: "Tokens"
  ...each("xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc- xoxd- xapp- xoxe.xoxp- xwfp-", "[A-Za-z0-9%._-]{10,400}"),
  // docs.stripe.com: "API keys" and webhook signing secrets
  ...each("sk_live_ sk_test_ rk_live_ rk_test_ sk_org_ whsec_ psk_live_", "[A-Za-z0-9+/=]{10,250}"),
  // platform.openai.com and docs.anthropic.com: API keys; the same `sk-` form is used by DeepSeek, Moonshot, Qwen and OpenRouter
  ...each(
    "sk-proj- sk-svcacct- sk-admin- sk-ant- sk-or-v1- sk-lf- pk-lf- sk-",
    "(?=[A-Za-z0-9_-]{0,80}\\d)[A-Za-z0-9_-]{16,300}",
  ),
  shape("sess-", "(?=[A-Za-z0-9]{0,40}\\d)[A-Za-z0-9]{36,48}"),
  // docs.aws.amazon.com: IAM identifiers, unique id prefixes of access keys
  ...each("AKIA ASIA ABIA ACCA", "[A-Z0-9]{12,16}(?![A-Za-z0-9])"),
  // docs.aws.amazon.com: Amazon Bedrock API keys
  ...each("ABSKQmVkcm9ja0FQSUtleS bedrock-api-key-", "[A-Za-z0-9+/=]{10,2000}"),
  // alibabacloud.com: RAM, AccessKey pair; STS tokens
  ...each("LTAI STS.N STS.L", "[A-Za-z0-9]{10,30}"),
  // cloud.tencent.com: CAM, SecretId
  ...each("AKID IKID", "(?=[A-Za-z0-9]{0,30}\\d)(?=[A-Za-z0-9]{0,30}[a-z])[A-Za-z0-9_-]{28,70}"),
  // volcengine.com: access keys
  shape("AKLT", "(?=[A-Za-z0-9_-]{0,40}\\d)[A-Za-z0-9_-]{16,60}"),
  // cloud.google.com: API keys, OAuth client secrets, access and refresh tokens
  shape("AIza", "[A-Za-z0-9_-]{20,40}"),
  shape("GOCSPX-", "[A-Za-z0-9_-]{12,40}"),
  shape("ya29.", "[A-Za-z0-9_-]{16,1000}"),
  shape("1//0", "[A-Za-z0-9_-]{20,200}"),
  // learn.microsoft.com: Entra client secrets hold `8Q~` or `7Q~` after three characters; see scanTokens
  // docs.sendgrid.com, documentation.mailgun.com, developers.brevo.com, mailchimp.com
  shape("SG.", "[A-Za-z0-9_-]{10,40}(?:\\.[A-Za-z0-9_-]{1,80})?"),
  shape("xkeysib-", "[a-f0-9]{16,64}(?:-[A-Za-z0-9]{1,20})?"),
  // twilio.com: API key SIDs
  shape("SK", "[0-9a-f]{32}(?![A-Za-z0-9])"),
  // npmjs.com, pypi.org, rubygems.org, crates.io, hub.docker.com: access tokens
  shape("npm_", "[A-Za-z0-9]{16,40}"),
  shape("pypi-", "[A-Za-z0-9_-]{16,300}"),
  shape("rubygems_", "[a-f0-9]{16,50}"),
  shape("cio", "(?=[A-Za-z0-9]{0,20}\\d)(?=[A-Za-z0-9]{0,31}[A-Z])[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
  ...each("dckr_pat_ dckr_oat_ dckr_jti_", "[A-Za-z0-9_-]{12,64}"),
  // developer.hashicorp.com: Vault tokens, Terraform Cloud tokens
  ...each("hvs. hvb. hvr.", "[A-Za-z0-9_-]{16,300}"),
  shape("s.", "(?=[A-Za-z0-9]{0,20}\\d)(?=[A-Za-z0-9]{0,20}[A-Z])[A-Za-z0-9]{24}(?![A-Za-z0-9.(])"),
  // docs.databricks.com, docs.sentry.io, grafana.com, docs.newrelic.com, docs.datadoghq.com, docs.honeycomb.io
  shape("dapi", "[0-9a-f]{32}(?:-\\d)?"),
  ...each("sntrys_ sntryu_ sntrya_", "[A-Za-z0-9_=+/-]{16,400}"),
  ...each("glsa_ glc_", "[A-Za-z0-9_+/=]{16,400}"),
  ...each("NRAK- NRII- NRJS- NRAA-", "[A-Za-z0-9-]{12,60}"),
  ...each("hcaik_ hcbik_ ddapi_", "[A-Za-z0-9]{16,80}"),
  // shopify.dev, developer.squareup.com, developer.paypal.com, adyen.com, plaid.com
  ...each("shpat_ shpca_ shppa_ shpss_ shptka_", "[A-Za-z0-9]{16,64}"),
  ...each("sq0atp- sq0csp- sq0idp- EAAA", "(?=[A-Za-z0-9_-]{0,60}\\d)[A-Za-z0-9_-]{22,64}"),
  ...each("access_token$production$ access_token$sandbox$", "[a-z0-9]{8,20}\\$[a-f0-9]{16,40}"),
  // developers.facebook.com: access tokens
  ...each("EAAC EAAB EAAG EAAD", "(?=[A-Za-z0-9]{0,60}\\d)[A-Za-z0-9]{40,400}"),
  // digitalocean.com, developers.cloudflare.com, fly.io, render.com, vercel.com, netlify.com, heroku.com, supabase.com, planetscale.com
  ...each("dop_v1_ doo_v1_ dor_v1_", "[a-f0-9]{16,80}"),
  ...each("FlyV1 fm2_ fo1_", "[A-Za-z0-9+/=_,-]{20,800}"),
  ...each(
    "rnd_ nfp_ HRKU- sbp_ sb_secret_ vercel_blob_rw_ CFPAT- v1.0-",
    "(?=[A-Za-z0-9_-]{0,40}\\d)[A-Za-z0-9_-]{20,120}",
  ),
  ...each("pscale_pw_ pscale_tkn_ pscale_oauth_", "[A-Za-z0-9_.=-]{16,80}"),
  // huggingface.co, replicate.com, groq.com, x.ai, perplexity.ai, fireworks.ai, langchain.com, pinecone.io
  ...each("hf_ api_org_", "(?=[A-Za-z0-9]{0,40}[A-Z])[A-Za-z0-9]{20,48}"),
  ...each(
    "r8_ gsk_ xai- pplx- fw_ pcsk_ tvly- ntn_ lsv2_pt_ lsv2_sk_ nvapi- tgp_v1_ csk- jina_ fc- e2b_",
    "(?=[A-Za-z0-9_-]{0,60}\\d)[A-Za-z0-9_-]{20,120}",
  ),
  // linear.app, developers.notion.com, figma.com, airtable.com, developer.atlassian.com, postman.com, asana.com, docs.doppler.com
  ...each(
    "lin_api_ lin_oauth_ secret_ figd_ figo_",
    "(?=[A-Za-z0-9_-]{0,48}\\d)(?=[A-Za-z0-9_-]{0,48}[A-Z])[A-Za-z0-9_-]{20,80}",
  ),
  ...each("ATATT3 ATCTT3 ATBB ATSTT3", "[A-Za-z0-9_=+/-]{16,300}"),
  shape("PMAK-", "[a-f0-9]{16,30}(?:-[a-f0-9]{8,40})?"),
  ...each("dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "[A-Za-z0-9_.-]{16,80}"),
  shape("pat", "[A-Za-z0-9]{14}\\.[a-f0-9]{16,64}"),
  // docs.confluent.io, circleci.com, buildkite.com, jfrog.com, sonarqube.org, pulumi.com, prefect.io, travis, contentful
  ...each(
    "CCIPAT_ CCIPRJ_ bkua_ AKCp sqp_ sqa_ squ_ pul- pnu_ snyk_ lob_",
    "(?=[A-Za-z0-9_]{0,60}\\d)[A-Za-z0-9_]{16,120}",
  ),
  // one password service accounts, age identities, Tailscale, Ngrok, Mapbox secret tokens, Easypost, Clojars, Dynatrace
  shape("ops_eyJ", "[A-Za-z0-9_=-]{40,2000}"),
  ...each("AGE-SECRET-KEY-1 AGE-PLUGIN-", "[A-Z0-9-]{16,120}", "pem"),
  ...each("tskey-auth- tskey-api- tskey-client- tskey-scim-", "[A-Za-z0-9-]{12,80}"),
  ...each("EZAK EZTK", "(?=[A-Za-z0-9]{0,50}\\d)[A-Za-z0-9]{40,60}"),
  shape("CLOJARS_", "[a-f0-9]{16,64}"),
  shape("dt0c01.", "[A-Z0-9]{20,26}\\.[A-Z0-9]{20,70}"),
  shape("dt0s16.", "[A-Z0-9]{8,26}\\.[A-Z0-9]{20,70}"),
  // open.dingtalk.com: signing secret of a robot
  shape("SEC", "[0-9a-f]{40,64}(?![A-Za-z0-9])"),
  // nats.io: NKEY seeds
  ...each("SUAA SAAA SUAB SUAC SUAD SUAE SUAF SUAG SUAH", "(?=[A-Z2-7]{0,54}[2-7])[A-Z2-7]{50,56}(?![A-Za-z0-9])"),
  // rfc-editor.org, RFC 7519: JSON Web Tokens, cut ones too
  shape("eyJ", "[A-Za-z0-9_-]{8,4000}(?:\\.[A-Za-z0-9_-]{0,8000}){1,4}", "jwt"),
  // postgresql.org: md5 and SCRAM verifiers; passlib, Django, Werkzeug, LDAP (RFC 2307) hash forms
  shape("md5", "[0-9a-f]{32}(?![A-Za-z0-9])", "hash"),
  ...each("SCRAM-SHA-256$ SCRAM-SHA-1$", "\\d{1,7}[:$][A-Za-z0-9+/=$:]{8,300}", "hash"),
  ...each(
    "pbkdf2_sha256$ pbkdf2_sha1$ pbkdf2:sha256: pbkdf2:sha512: scrypt: bcrypt$ bcrypt_sha256$ argon2$ sha1$ sha256$ sha512$",
    "[A-Za-z0-9+/=.$,:_-]{16,300}",
    "hash",
  ),
];

const BY_HEAD: (readonly TokenShape[] | undefined)[] = new Array(1 << 14);
for (const candidate of TOKEN_SHAPES) {
  const head = headOf(candidate.prefix.charCodeAt(0), candidate.prefix.charCodeAt(1));
  BY_HEAD[head] = [...(BY_HEAD[head] ?? []), candidate];
}

function headOf(first: number, second: number): number {
  return ((first & 127) << 7) | (second & 127);
}

/** The shapes whose prefix begins with these two characters. */
export function shapesOf(first: number, second: number): readonly TokenShape[] | undefined {
  return BY_HEAD[headOf(first, second)];
}
