// The page's texts in Arabic; en.js explains them. Digits are those of results, files and URLs; people may type
// Arabic ones.

const PLURAL = new Intl.PluralRules("ar");

// Return a number or a decimal string in the language's notation; a mark keeps a minus sign before it.
export function shown(number) {
  return `${number}`.replace("-", "\u200e-");
}

/** How many of something: the noun's forms for one, two, 3 to 10, 11 to 99, and the rest. */
function counted(count, { one, two, few, many, other }) {
  const number = shown(count);
  return { one, two, few: `${number} ${few}`, many: `${number} ${many}` }[PLURAL.select(count)] ?? `${number} ${other}`;
}

function percent(number) {
  return `${shown(number)}%`;
}

/** A large number, in groups of three digits. */
function grouped(count) {
  return count.toLocaleString("en");
}

const QUESTIONS = { one: "سؤال واحد", two: "سؤالان", few: "أسئلة", many: "سؤالًا", other: "سؤال" };
const SECONDS = { one: "ثانية واحدة", two: "ثانيتين", few: "ثوانٍ", many: "ثانية", other: "ثانية" };

export const OWN = {
  yes: "نعم",
  no: "لا",
  withheld: "أفضّل عدم الإجابة",
  under: (number) => `أقل من ${shown(number)}`,
  between: (low, high) => `من ${shown(low)} إلى أقل من ${shown(high)}`,
  orMore: (number) => `${shown(number)} أو أكثر`,
  through: (low, high) => `من ${shown(low)} إلى ${shown(high)}`,
};

export const BY = { page: "تقول هذه الصفحة", survey: "يقول الاستبيان" };

export const LANGUAGE = {
  label: "اللغة",
  lost: "تعذّر تحميل هذه اللغة. تبقى الصفحة كما هي.",
};

export const ASKED = {
  choice: { missing: "يُرجى اختيار إجابة." },
  multiple_choice: { missing: "يُرجى تحديد ما ينطبق عليك، أو تحديد أنه لا ينطبق شيء." },
  grid: { missing: "يُرجى اختيار إجابة لكل بند من هذه البنود." },
  histogram: {
    missing: "يُرجى كتابة عدد.",
    range: () => "لا تُستخدم إلا الفئة التي يقع فيها العدد المكتوب. الأعداد الأصغر تُحسب في الفئة الدنيا، والأعداد الأكبر تُحسب في الفئة العليا.",
  },
  mean: {
    missing: "يُرجى كتابة عدد.",
    range: ({ low, high, unit }) => `من ${shown(low)} إلى ${amount(shown(high), unit)}. ما كان أقل يُحسب ${shown(low)}، وما كان أكبر يُحسب ${shown(high)}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `تُظهر النتائج المتوسط فقط: تُحسب الدرجات من ${shown(1)} إلى ${shown(last)}.`,
  pair: (item, answer) => `${item}: ${answer}`,
  none: "لا شيء مما سبق",
  nothing: /^(لا شيء?|لا احد|ليس ايا)( (مما سبق|مما ذكر|منها|من (هذا|هذه|ذلك|تلك)( [^ ]+)?))?\.?$/,
  find: "البحث في هذه القائمة",
  found: (count, total) => `المطابق: ${shown(count)} من ${shown(total)}.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["واحدًا منها", "عنه"] : [`${shown(sample)} منها`, "عنها"];
    return `سيختار متصفحك ${part} عشوائيًا، أيًّا كانت إجابتك. ولن يرسل إلا إجابة مُغيَّرة عشوائيًا ${about}.`;
  },
};

export const NUMBERS = {
  get none() { return `هذا ليس عددًا بعد. يُرجى كتابة أرقام فقط، مثل ${shown(34)} أو ${shown("34.5")}.`; },
  which: (one, other) => `هل تقصد ${one} أم ${other}؟ يُرجى كتابة المقصود.`,
  get long() { return `هذا العدد طويل جدًا. يُرجى كتابة ${shown(15)} رقمًا على الأكثر.`; },
  counts: (what) => `يُحسب: ${what}.`,
  limits: (low, high, whole) => `اكتب ${whole ? "عددًا صحيحًا" : "عددًا"} من ${low} إلى ${high}.`,
};

export const FORM = {
  title: "الأسئلة",
  send: "إرسال إجاباتي المُغيَّرة عشوائيًا",
  sending: "عند الضغط على هذا الزر تُغيَّر إجاباتك عشوائيًا هنا، مرة واحدة. ولا يُرسل إلا الناتج.",
  unsent: "لم يُرسل: ",
  count: (total) => `الأسئلة المطلوبة: ${counted(total, QUESTIONS)}.`,
  progress: (answered, total) => `أُجيب عن ${shown(answered)} من ${shown(total)}`,
  place: (number, total) => `السؤال ${shown(number)} من ${shown(total)}`,
  numbered: (number, text) => `${shown(number)}. ${text}`,
  missing: (count) => `بقي ${counted(count, QUESTIONS)} من دون إجابة.`,
  whole: " ترك سؤال من دون إجابة يكشف بنفسه شيئًا، لذلك لا يُرسل إلا تقرير كامل.",
  ready: (count) => `الأسئلة جاهزة: ${counted(count, QUESTIONS)}.`,
  more: " وتقود بعض الإجابات إلى أسئلة أخرى.",
  lot: "سُحبت أسئلتك بالقرعة من قائمة أطول.",
  kept(count, chance, among) {
    const sent = among ? "ضمن ما يُرسل" : "هي ما يُرسل";
    const how = `باحتمال ${percent(chance)} تكون ${count > 1 ? "هذه الإجابات" : count === 1 ? "إجابتك" : "إجاباتك"} ${sent}، وإلا كان كل ما يُرسل عشوائيًا.`;
    return count > 1 ? `يُغيَّر بعض إجاباتك معًا، وعددها ${shown(count)}. ${how}` : how;
  },
  few: "من الأسئلة ذات الأجزاء المتعددة لا تُرسل إلا أجزاء تُختار بالقرعة.",
  together: (count) => `إحدى الإجابات التي تُغيَّر معًا، وعددها ${shown(count)}.`,
};

export const SECTIONS = {
  place: (number, total) => `القسم ${shown(number)} من ${shown(total)}`,
  back: "السابق",
  next: "التالي",
  all: "عرض كل الأقسام معًا",
  one: "عرض الأقسام واحدًا واحدًا",
};

export const CONSENT = {
  title: "قبل البدء",
  agree: "قرأتُ هذا وأوافق عليه",
  missing: "يُرجى وضع علامة هنا في حال الموافقة. وإلا يكفي إغلاق الصفحة: لم يُرسل أي شيء.",
  go: "إلى الأسئلة",
};

export const LATER = {
  words: "ar-more.js",
  check: "للتحقّق بنفسك",
  budget: "ما أرسله هذا المتصفح إلى هذا الموقع",
  missing: "جزء من هذه الصفحة ناقص",
  lost: "لم يصل هذا الجزء، أو وصل ملف غير مطلوب، لذلك لا تستخدمه الصفحة. ولا يتأثر تقريرك بذلك.",
};

export const ODDS = {
  oneIn: (count) => `${shown(1)} من ${grouped(count)}`,
};

export const STRENGTH = [
  { title: "حماية قوية", name: "قوية" },
  { title: "حماية متوسطة", name: "متوسطة" },
  { title: "حماية ضعيفة", name: "ضعيفة" },
  { title: "تكاد لا توجد حماية", name: "تكاد لا توجد" },
];

export const FREQUENCIES = {
  option: [
    (count) => `من كل ${shown(100)} شخص يجيبون مثلك، يذكر نحو ${shown(count)} من تقاريرهم هذه الإجابة.`,
    (count) => `ومن كل ${shown(100)} شخص يجيبون بغير ذلك، يذكرها نحو ${shown(count)}.`,
  ],
  item: [
    (count) => `إذا أجاب ${shown(100)} شخص عن هذا البند مثلك، يذكر نحو ${shown(count)} من تقاريرهم هذه الإجابة.`,
    (count) => `وإذا أجاب ${shown(100)} غيرهم بغير ذلك، يذكرها نحو ${shown(count)}.`,
  ],
  number: [
    (count) => `من كل ${shown(100)} شخص لديهم أكبر عدد، يقع نحو ${shown(count)} من تقاريرهم في النصف الأعلى.`,
    (count) => `ومن كل ${shown(100)} شخص لديهم أصغر عدد، يقع فيه نحو ${shown(count)}.`,
  ],
  step: [
    (count) => `من كل ${shown(100)} شخص يختارون الدرجة الأخيرة، يقع نحو ${shown(count)} من تقاريرهم في النصف الأعلى.`,
    (count) => `ومن كل ${shown(100)} شخص يختارون الدرجة الأولى، يقع فيه نحو ${shown(count)}.`,
  ],
};

export const PROMISE = {
  titles: [
    "تُغيَّر إجاباتك عشوائيًا قبل أن تغادر هذا المتصفح",
    "حتى بعد التغيير العشوائي قد يكشف تقريرك الكثير عن إجاباتك",
    "حتى بعد التغيير العشوائي قد يقترب تقريرك كثيرًا من كشف إجاباتك",
  ],
  cautions: [
    "يُرجى المشاركة فقط إن كان لا يزعجك ما قد يعرفه الآخرون منه.",
    "يُرجى المشاركة فقط إن كان لا يزعجك أن تُعرف إجاباتك.",
  ],
  belief: (prior, high) => `من خمّن إجابتك بيقين ${percent(prior)} لا يرفع تقريرك ظنه فوق ${percent(high)}.`,
  certain: (prior) => `من خمّن إجابتك بيقين ${percent(prior)} قد يجعله تقريرك شبه متيقّن.`,
  apart: (chance) => ` وقد يكشف التقرير مصادفةً أكثر من ذلك، باحتمال لا يزيد على ${chance}.`,
  more: "كيف تُحمى إجاباتك؟",
};

export const SENDING = {
  title: "جارٍ إرسال تقريرك",
  thanks: "شكرًا لك",
  recorded: "سُجّل تقريرك. ومُحيت إجاباتك من هذه الصفحة.",
  randomizing: "تُغيَّر إجاباتك عشوائيًا الآن.",
  cleared: "غُيِّرت إجاباتك عشوائيًا ومُحيت من هذه الصفحة. لم يبق إلا التقرير الجاهز، وهو نفسه دائمًا مهما تكرّر إرساله.",
  lasting: "يمكنك إغلاق هذه الصفحة. عند فتحها لاحقًا في هذا المتصفح ترسل التقرير نفسه. أما النافذة الخاصة فتنسى التقرير عند إغلاقها.",
  fleeting: "يُرجى إبقاء هذه الصفحة مفتوحة: لا يسمح هذا المتصفح لها بالاحتفاظ بالتقرير.",
  now: "المحاولة الآن من جديد",
  trying: "جارٍ الإرسال…",
  network: "لا يمكن الوصول إلى الشبكة أو الخادم.",
  busy: "الخادم مشغول ويطلب الانتظار.",
  server: "لدى الخادم مشكلة في الوقت الحالي.",
  waiting: (reason, seconds) => `لم يُرسل بعد. ${reason} تُعيد الصفحة المحاولة بعد ${counted(seconds, SECONDS)}.`,
};

export const STOPPED = {
  lost: "لم تصل الأسئلة",
  lostWhy: (sent) => `لا يمكن الوصول إلى الشبكة أو الخادم. ${sent}`,
  again: "المحاولة من جديد",
  nothingSent: "لم يُرسل أي شيء.",
  earlierSent: "لا يتأثر بذلك التقرير الذي أرسله هذا المتصفح من قبل.",
  waits: "تقريرك الجاهز محفوظ في هذا المتصفح. وسترسله الصفحة عندما تُفتح كما ينبغي.",
  unknownNow: "لم يُرسل أي شيء الآن. ولا يبيّن هذا المتصفح هل أُرسل منه تقرير من قبل.",
  failed: "تعذّر إعداد التقرير",
  failedWhy: "لم يُرسل أي شيء. ومُحيت إجاباتك من هذه الصفحة.",
};
