const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** English words that carry no topic (Lucene's list): never indexed. */
export const STOP_WORDS: ReadonlySet<string> = words(
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with",
);

/** Words of asking rather than of the topic: a passage need not hold them to answer. Dropped from queries only. */
export const QUESTION_WORDS: ReadonlySet<string> = words(
  "what which who whom whose when where why how do does did done has have had can could should would may might must i we you he she my our your me us its were been being am about please tell show find give any some runbook troubleshoot troubleshooting guide documentation docs issue problem fix resolve solution",
);

/**
 * The same for Chinese and Japanese, and aliases of held-back values, which no document holds. A question is parted where they
 * stand, so that they form no pairs with its topic.
 */
export const QUESTION_PHRASES: RegExp =
  /\[\[[^[\]\s]{1,96}\]\]|请问|有没有|是否|[是有在叫为]?(?:什么(?:时候|地方|样)?|怎么(?:办|样|回事)?|怎样|如何|为何|哪[些个里儿种位年一]|多少|谁)|[吗呢]|(?:解决|处理)(?:办法|方案|方法)|手册|文档|どうすれば(?:よい|いい)?|どのように|なぜ|(?:です|ます)か|ください/gu;

/** Chinese particles, prepositions and pronouns: a question with and without them is the same. */
export const PARTICLES: ReadonlySet<string> = new Set("的了吗呢吧啊是在和与及或被把请我你们");
