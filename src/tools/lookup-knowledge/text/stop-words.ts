const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** English words that carry no topic (Lucene's list): never indexed. */
export const STOP_WORDS: ReadonlySet<string> = words(
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with",
);

/** Words of asking rather than of the topic: a passage need not hold them to answer. Dropped from queries only. */
export const QUESTION_WORDS: ReadonlySet<string> = words(
  "what which who whom whose when where why how do does did done has have had can could should would may might must i we you he she my our your me us its were been being am about please tell show find give any some",
);

/** The same for Chinese, as the bigrams they are found by. */
export const QUESTION_BIGRAMS: ReadonlySet<string> = words(
  "什么 怎么 怎样 如何 为何 哪些 哪个 哪里 哪儿 哪种 哪位 哪年 多少 是否 请问 么办 么样 为什 是什 是谁 是哪 在哪 有哪 的是 是多 么时 么是 么会 么处 有没 没有",
);
