import { type Lexicon, words } from "./words.ts";

/** Words that decide checks in English text. Entries are regular expressions; word edges are added around them. */
export const ENGLISH: Lexicon = {
  negators: words(
    "not, no, never, without, cannot, can't, won't, don't, doesn't, didn't, isn't, aren't, wasn't",
    "weren't, hasn't, haven't, hadn't, shouldn't, couldn't, wouldn't, mustn't, neither, nor, none",
    "non, nothing, nobody, unable to, fail(?:s|ed)? to, except, unless, hardly, rarely, avoid",
  ),
  totals: words(
    "all, every, everything, everyone, each, only, solely, exclusively, entire, entirely, whole",
    "completely, total, totals?, altogether, always, never, none, no other, nothing else, nobody else",
    "exactly, precisely, in full, without exception, the sole, just \\d+, 100 ?%, no more than",
    "at most",
  ),
  notTotals: words(
    "read-only, not all, not every, not only, at all, above all, after all, first of all",
    "once and for all",
  ),
  timeUniversals: words(
    "never, at all, ever, always, at any time, at any point, at no time, at no point, any ?time",
    "throughout, the whole time, not once, not a single time, whatsoever, all the time, all along, so far, until now, to date, permanently",
  ),
  openSpans: words(
    "ever since, since then, from then on, thereafter, ever after, for ages, for (?:a |so )?long(?: time)?, for a while",
    "since (?:the |its |our |that |this )?(?:\\w+ )?(?:release|launch|deploy(?:ment)?|rollout|restart|upgrade|migration|incident|outage|start|beginning|boot|reboot|go-live|failover|switch|change|fix|patch)",
    "since (?:last|this|early|late|mid)? ?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|week|month|year|noon|midnight|morning)",
  ),
  subjectUniversals: words(
    "(?:the |every )?other services?, no services?, none of (?:the|our|these|those), any of (?:the|our), any services?",
    "any other services?, no other services?, all (?:the |our |of the )?services?, every services?",
    "neither service",
    "(?:the|our) (?:whole |entire )?(?:system|platform|cluster|fleet|company|organi[sz]ation|environment|estate|stack)",
    "everywhere, anywhere, nowhere, (?:system|cluster|platform|fleet|company)-wide, globally",
    "the entire, the whole, across (?:the|all)",
    "(?:any|no|all|every) (?:other )?(?:host|node|pod|table|database|datasource|instance|component|microservice|application)s?",
    "all (?:logs|levels|log levels), (?:any|no) (?:log )?levels?",
  ),
  eliminations: words(
    "rul(?:e|es|ed|ing) (?:\\S+ ){0,4}out, ruled out, exclud(?:e|es|ed|ing), eliminat(?:e|es|ed|ing)",
    "impossible, cannot (?:be|have|happen), can't (?:be|have), could(?:n't| not) (?:be|have)",
    "definitely, certainly, proves?, proven, disproves?, guarantees?",
    "(?:is|are|was|were) (?:healthy|fine|innocent)",
    "(?:is|was|are|were) not (?:a |the |to )?(?:root )?(?:cause|blame), not the (?:root )?cause",
    "nothing (?:is |was )?wrong",
  ),
  existence: words(
    "exists?, existed, existence, nobody, no one, there (?:is|are|was|were) no",
    "(?:we|they|the team|the company) (?:have|has) no, has no, have no, (?:does|do) not have",
    "undocumented, nobody (?:has |ever )?(?:wrote|written|documented)",
    "no (?:runbooks?|documents?|documentation|manuals?|guides?|playbooks?|articles?|procedures?|knowledge)",
  ),
  retrieval: words(
    "search(?:es|ed|ing)?, quer(?:y|ies|ied|ying), look(?:ed|ing)?[ -]?ups?, retriev\\w*",
    "match(?:es|ed|ing)?, return(?:s|ed|ing)?, hits?, found, results?, find, yielded",
  ),
  generic: words(
    "errors?, exceptions?, failures?, logs?, log (?:line|entrie|record)s?, problems?, issues?",
    "anomal(?:y|ies), warnings?, incidents?, messages?",
  ),
  scoped: words("match(?:es|ed|ing)?, such, relevant, related, corresponding, containing, with"),
  up: words(
    "rose, rises?, risen, rising, increas(?:e|es|ed|ing), up, grew, grows?, grown, growth",
    "gain(?:s|ed)?, higher, more, climb(?:s|ed)?, added, surplus, jump(?:s|ed)?, surged?, soared",
    "went up, positive, gone up",
  ),
  down: words(
    "fell, falls?, fallen, falling, decreas(?:e|es|ed|ing), down, drop(?:s|ped|ping)?",
    "declin(?:e|es|ed|ing), lost, loss(?:es)?, lower, fewer, less, reduc(?:e|es|ed|tion), shrank",
    "shrunk, deficit, minus, negative, short(?:fall|age)?, sank, plunged?, missing, slipped, lost",
  ),
  notDirections: words(
    "up to, more than, less than, no more, no less, fewer than, back up, set up, end(?:ed)? up",
    "start(?:ed)? up, is up, are up, any more, once more, more or less, or more, or less",
  ),
  levels: {
    ERROR: words("errors?"),
    WARN: words("warn, warnings?, warn-level"),
    INFO: words("info, info-level"),
    DEBUG: words("debug, debug-level"),
    TRACE: words("trace-level"),
    FATAL: words("fatal, fatals?, critical"),
  },
};
