import type { Scope } from "./scope.ts";

/** Every finding the guard can make. A code is a promise: it is never renamed. */
export const GUARD_CODES = [
  "EG_DRAFT_SCHEMA",
  "EG_ID_MALFORMED",
  "EG_NO_CITATION",
  "EG_STORE_UNAVAILABLE",
  "EG_INVOCATION_NOT_FOUND",
  "EG_INVOCATION_EXPIRED",
  "EG_INVOCATION_ERROR",
  "EG_NOT_READY",
  "EG_TOOL_MISMATCH",
  "EG_ITEM_REQUIRED",
  "EG_ITEM_NOT_FOUND",
  "EG_DUPLICATE_CITATION",
  "EG_QUOTE_NOT_FOUND",
  "EG_QUOTE_WRONG_ITEM",
  "EG_QUOTE_SPANS_ITEMS",
  "EG_QUOTE_ELLIPSIS_DROPS_NEGATION",
  "EG_QUOTE_CONFUSABLE",
  "EG_QUOTE_TOO_SHORT",
  "EG_NUMBER_NOT_IN_EVIDENCE",
  "EG_NUMBER_NOT_IN_PROSE",
  "EG_SIGN_MISMATCH",
  "EG_UNIT_MISMATCH",
  "EG_UNIT_ASSUMED",
  "EG_DERIVED_WRONG",
  "EG_COUNT_MISMATCH",
  "EG_TIME_OUT_OF_SCOPE",
  "EG_ENTITY_OUT_OF_SCOPE",
  "EG_NEGATIVE_OVERGENERALIZED",
  "EG_NEGATIVE_SCOPE_MISSING",
  "EG_NEGATIVE_CONTRADICTED",
  "EG_POSITIVE_FROM_NO_EVIDENCE",
  "EG_TRUNCATED_AS_COMPLETE",
  "EG_PLACEHOLDER_AS_FACT",
  "EG_REFERENCE_AS_ROOT_CAUSE",
  "EG_REFERENCE_SUPPORT_ONLY",
  "EG_ROOT_CAUSE_NO_OBSERVATION",
  "EG_KNOWLEDGE_AS_OBSERVATION",
  "EG_NOT_REDERIVABLE",
  "EG_REDERIVE_MISMATCH",
] as const;
export type GuardCode = (typeof GUARD_CODES)[number];

export type Severity = "WARN" | "REJECT";
export type VerdictWord = "PASS" | "WARN" | "REJECT";

export interface GuardEntry {
  readonly severity: Severity;
  /** What it means and what to change. Never built from the evidence: it can hint at nothing hidden. */
  readonly en: string;
  readonly zh: string;
}

const reject = (en: string, zh: string): GuardEntry => ({ severity: "REJECT", en, zh });
const warn = (en: string, zh: string): GuardEntry => ({ severity: "WARN", en, zh });

/** How grave each finding is and what it says. */
export const GUARD_FINDINGS: Readonly<Record<GuardCode, GuardEntry>> = {
  EG_DRAFT_SCHEMA: reject(
    "The draft or claim does not have the required form. Correct it and submit again.",
    "草稿或陈述的格式不符合要求，请按结构修改后重新提交。",
  ),
  EG_ID_MALFORMED: reject(
    "A citation's tool_call_id is not a usable id. Copy it exactly as it was shown.",
    "引用的 tool_call_id 不是可用的标识，请原样复制。",
  ),
  EG_NO_CITATION: reject(
    "A factual claim needs at least one citation. Cite the item it rests on.",
    "事实陈述至少需要一条引用，请引用其依据的证据项。",
  ),
  EG_STORE_UNAVAILABLE: reject(
    "The stored evidence cannot be read now, so nothing can be confirmed. Submit again later.",
    "目前无法读取存储的证据，因此无法确认，请稍后再提交。",
  ),
  EG_INVOCATION_NOT_FOUND: reject(
    "This run has no such tool call. Cite only calls of this run.",
    "本次诊断中没有这个工具调用，只能引用本次诊断的调用。",
  ),
  EG_INVOCATION_EXPIRED: reject(
    "The cited record has expired. Ask again and cite the new observation.",
    "所引用的记录已过期，请重新查询并引用新的观察。",
  ),
  EG_INVOCATION_ERROR: reject(
    "The cited call failed. A failed call is no evidence.",
    "所引用的调用失败了，失败的调用不是证据。",
  ),
  EG_NOT_READY: reject(
    "The cited call has not finished. Only a finished observation can be cited.",
    "所引用的调用尚未完成，只能引用已完成的观察。",
  ),
  EG_TOOL_MISMATCH: reject(
    "The citation names another tool than the one that was called.",
    "引用所写的工具与实际调用的工具不一致。",
  ),
  EG_ITEM_REQUIRED: reject(
    "Name the item_id that the claim rests on, not only the call.",
    "请写明陈述所依据的 item_id，而不仅是调用。",
  ),
  EG_ITEM_NOT_FOUND: reject(
    "The cited call has no such item. Copy the item_id exactly as shown.",
    "所引用的调用中没有这个证据项，请原样复制 item_id。",
  ),
  EG_DUPLICATE_CITATION: warn(
    "The same item is cited twice. It counts as one piece of evidence.",
    "同一证据项被引用两次，只算一条证据。",
  ),
  EG_QUOTE_NOT_FOUND: reject(
    "The quote does not stand in the cited item. Quote word for word.",
    "引文不在所引用的证据项中，请逐字引用。",
  ),
  EG_QUOTE_WRONG_ITEM: reject(
    "The quote stands in another item of the same call. Cite that item.",
    "引文在同一调用的另一证据项中，请引用那一项。",
  ),
  EG_QUOTE_SPANS_ITEMS: reject(
    "The quote joins several items as if they were one. Cite each with its own quote.",
    "引文把多个证据项拼成一条，请分别引用。",
  ),
  EG_QUOTE_ELLIPSIS_DROPS_NEGATION: reject(
    "The ellipsis or the cut leaves out a negation. Quote the negation too.",
    "省略或截取去掉了否定词，请把否定词一并引用。",
  ),
  EG_QUOTE_CONFUSABLE: reject(
    "The quote holds look-alike characters. Copy the text exactly.",
    "引文含有形近字符，请原样复制。",
  ),
  EG_QUOTE_TOO_SHORT: warn(
    "The quote is too short to identify anything. Quote a longer passage.",
    "引文过短，无法作为依据，请引用更长的片段。",
  ),
  EG_NUMBER_NOT_IN_EVIDENCE: reject(
    "A number of the claim stands in no cited item. Use the number as it was observed, or declare how it is derived.",
    "陈述中的数字不在所引用的证据项中，请使用观察到的数字，或声明其推导方式。",
  ),
  EG_NUMBER_NOT_IN_PROSE: warn(
    "A number of the claim stands in no cited passage. Check it.",
    "陈述中的数字不在所引用的段落中，请核对。",
  ),
  EG_SIGN_MISMATCH: reject(
    "The direction or sign of a number does not agree with the cited item.",
    "数字的方向或正负号与所引用的证据项不一致。",
  ),
  EG_UNIT_MISMATCH: reject(
    "A unit or currency does not agree with the cited item.",
    "单位或币种与所引用的证据项不一致。",
  ),
  EG_UNIT_ASSUMED: warn(
    "The claim gives a unit that the cited item does not show.",
    "陈述给出的单位在所引用的证据项中没有出现。",
  ),
  EG_DERIVED_WRONG: reject(
    "A declared derivation does not give the claimed value, or uses inputs that are not cited.",
    "声明的推导得不出所述数值，或使用了未引用的输入。",
  ),
  EG_COUNT_MISMATCH: reject(
    "The claimed count does not agree with the cited items.",
    "所述数量与所引用的证据项不一致。",
  ),
  EG_TIME_OUT_OF_SCOPE: reject(
    "A time of the claim lies outside of what was looked at, or is not a time of a cited item.",
    "陈述中的时间超出查询范围，或不是所引用证据项的时间。",
  ),
  EG_ENTITY_OUT_OF_SCOPE: reject(
    "The claim speaks of something the cited call did not look at.",
    "陈述涉及所引用调用没有查询的对象。",
  ),
  EG_NEGATIVE_OVERGENERALIZED: reject(
    "A negative claim goes beyond what was looked at. State it within the checked scope.",
    "否定陈述超出了查询范围，请在已检查的范围内表述。",
  ),
  EG_NEGATIVE_SCOPE_MISSING: warn(
    "A negative claim does not show its scope; the checked scope is attached.",
    "否定陈述没有写明范围，已附上实际检查的范围。",
  ),
  EG_NEGATIVE_CONTRADICTED: reject("The cited result is not empty.", "所引用的结果并不为空。"),
  EG_POSITIVE_FROM_NO_EVIDENCE: reject(
    "A positive claim cannot rest on an empty result.",
    "肯定陈述不能以空结果为依据。",
  ),
  EG_TRUNCATED_AS_COMPLETE: reject(
    "The cited result was truncated and cannot carry a claim about everything.",
    "所引用的结果被截断，不能支持关于全部的陈述。",
  ),
  EG_PLACEHOLDER_AS_FACT: reject(
    "A placeholder of a held-back secret, or a mask, is used as a fact.",
    "把被隐藏内容的占位符或掩码当成了事实。",
  ),
  EG_REFERENCE_AS_ROOT_CAUSE: reject(
    "A passage of level REFERENCE cannot carry a root cause.",
    "REFERENCE 级别的内容不能作为根因依据。",
  ),
  EG_REFERENCE_SUPPORT_ONLY: warn("A passage of level REFERENCE is background only.", "REFERENCE 级别的内容仅作背景。"),
  EG_ROOT_CAUSE_NO_OBSERVATION: reject(
    "A root cause needs at least one observation of this incident.",
    "根因至少需要一条对本次事件的观察。",
  ),
  EG_KNOWLEDGE_AS_OBSERVATION: reject(
    "General knowledge cannot prove what happened here.",
    "一般知识不能证明现场发生了什么。",
  ),
  EG_NOT_REDERIVABLE: warn(
    "The stored observation was made by another version and cannot be derived again here.",
    "存储的观察由其他版本生成，无法在此重新推导。",
  ),
  EG_REDERIVE_MISMATCH: reject(
    "The stored observation does not follow from the stored raw result.",
    "存储的观察与原始结果不符。",
  ),
};

export interface Finding {
  readonly code: GuardCode;
  readonly severity: Severity;
  readonly tool_call_id?: string;
  readonly item_id?: string;
}

export interface ClaimVerdict {
  readonly claim_id: string;
  readonly verdict: VerdictWord;
  readonly findings: readonly Finding[];
  /** For a negative claim: the scope that was really looked at. */
  readonly attached_scope?: Scope;
}

/** PASS means traceable and not refuted. It never means true. Holds no text of any record, so it may be audited. */
export interface Verdict {
  readonly verdict: VerdictWord;
  readonly claims: readonly ClaimVerdict[];
  /** ISO 8601 UTC. */
  readonly checked_at: string;
  readonly guard_version: string;
}
