// The page's texts in Chinese, in simplified characters; en.js explains them.

// Return a number or a decimal string in the language's notation.
export function shown(number) {
  return `${number}`;
}

export const OWN = {
  yes: "是",
  no: "否",
  withheld: "不愿回答",
  under: (number) => `小于 ${shown(number)}`,
  between: (low, high) => `${shown(low)} 至小于 ${shown(high)}`,
  orMore: (number) => `至少 ${shown(number)}`,
  through: (low, high) => `${shown(low)}至${shown(high)}`,
};

export const BY = { page: "本页说明", survey: "调查说明" };

export const LANGUAGE = {
  label: "语言",
  lost: "无法加载此语言。页面保持原样。",
};

export const ASKED = {
  choice: { missing: "请选择一个答案。" },
  multiple_choice: { missing: "请勾选符合的选项，或说明都不符合。" },
  grid: { missing: "请为每一项选择一个答案。" },
  histogram: {
    missing: "请输入一个数字。",
    range: () => "只会用到您的数字所在的组。更小的数字计入最低的一组，更大的数字计入最高的一组。",
  },
  mean: {
    missing: "请输入一个数字。",
    range: ({ low, high, unit }) => `范围：${shown(low)} 至 ${amount(shown(high), unit)}。更小的数字按 ${shown(low)} 计算，更大的数字按 ${shown(high)} 计算。`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `结果只显示平均值：各级依次按 1 至 ${last} 计算。`,
  pair: (item, answer) => `${item}：${answer}`,
  none: "都不是",
  nothing: /^((以上|这些)?[都皆均](不是|非|没有|无|不适用)|[无無]|[没沒]有)[。.]?$/,
  find: "在此列表中查找",
  found: (count, total) => `${total} 项中有 ${count} 项符合。`,
  sampled(sample) {
    return `无论您如何回答，您的浏览器都会随机抽取其中 ${sample} 项，并且只发送这${sample === 1 ? "一项" : "几项"}经过随机处理的回答。`;
  },
};

export const NUMBERS = {
  none: "这还不是一个数字。请只输入数字，例如 34 或 34.5。",
  which: (one, other) => `您是指 ${one} 还是 ${other}？请照此输入。`,
  long: "这个数字太长。请最多输入 15 位。",
  counts: (what) => `计为：${what}。`,
  limits: (low, high, whole) => `请输入 ${low} 至 ${high} 之间的${whole ? "整数" : "数字"}。`,
};

export const FORM = {
  title: "问题",
  send: "发送经过随机处理的回答",
  sending: "按下此按钮后，您的回答会在这里经过一次随机处理。只有处理后的结果会被发送。",
  unsent: "未发送：",
  count: (total) => `需要回答的问题：${total} 个。`,
  progress: (answered, total) => `已回答 ${answered} / ${total}`,
  place: (number, total) => `第 ${number} 题，共 ${total} 题`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) => `还有 ${count} 个问题没有回答。`,
  whole: "跳过的问题本身也会透露信息，所以只发送完整的报告。",
  ready: (count) => `${count} 个问题已就绪。`,
  more: "有些回答会引出更多问题。",
  lot: "您的问题是从一份更长的列表中随机抽取的。",
  kept(count, percent, among) {
    const sent = among ? "包含在发送的内容之中" : "就是发送的内容";
    const how = `${count > 1 ? "这些回答" : "您的回答"}有 ${percent}% 的概率${sent}，否则发送的内容全部是随机的。`;
    return count > 1 ? `您有 ${count} 个回答会一起经过随机处理。${how}` : how;
  },
  few: "由多个部分组成的问题，只发送随机抽取的部分。",
  together: (count) => `这是一起经过随机处理的 ${count} 个回答之一。`,
};

export const SECTIONS = {
  place: (number, total) => `第 ${number} 部分，共 ${total} 部分`,
  back: "上一步",
  next: "下一步",
  all: "一次显示所有部分",
  one: "每次显示一个部分",
};

export const CONSENT = {
  title: "开始之前",
  agree: "我已阅读并同意",
  missing: "如果您同意，请勾选此框。如果不同意，关闭页面即可：没有发送任何内容。",
  go: "前往问题",
};

export const LATER = {
  words: "zh-more.js",
  check: "自行核对",
  budget: "此浏览器向本网站发送过的内容",
  missing: "此页面缺少一部分",
  lost: "这一部分没有送达，或文件不正确，所以页面不使用它。您的报告不受影响。",
};

export const ODDS = {
  oneIn: (count) => `${count.toLocaleString("zh")} 分之一`,
};

export const STRENGTH = [
  { title: "保护强", name: "强" },
  { title: "保护中等", name: "中等" },
  { title: "保护弱", name: "弱" },
  { title: "几乎没有保护", name: "几乎没有" },
];

export const FREQUENCIES = {
  option: [
    (count) => `如果 100 人与您回答相同，约有 ${count} 份报告会给出这一回答。`,
    (count) => `如果 100 人给出其他回答，约有 ${count} 份会给出与您相同的回答。`,
  ],
  item: [
    (count) => `如果 100 人对这一项的回答与您相同，约有 ${count} 份报告会给出这一回答。`,
    (count) => `如果另外 100 人给出其他回答，约有 ${count} 份会给出与您相同的回答。`,
  ],
  number: [
    (count) => `如果 100 人给出最大的数字，约有 ${count} 份报告会落在上半部分。`,
    (count) => `如果 100 人给出最小的数字，约有 ${count} 份会落在上半部分。`,
  ],
  step: [
    (count) => `如果 100 人选择最后一级，约有 ${count} 份报告会落在上半部分。`,
    (count) => `如果 100 人选择第一级，约有 ${count} 份会落在上半部分。`,
  ],
};

export const PROMISE = {
  titles: [
    "您的回答在发送之前会经过随机处理",
    "即使经随机处理，报告仍可能透露您回答的很多信息",
    "即使经随机处理，报告仍可能几乎透露您的回答",
  ],
  cautions: [
    "若介意他人可能得知的内容，请勿参加。",
    "若介意回答为人所知，请勿参加。",
  ],
  belief: (prior, high) => `若有人对您的回答有 ${prior}% 的把握，凭报告最多升至 ${high}%。`,
  certain: (prior) => `若有人对您的回答有 ${prior}% 的把握，凭报告可能几乎确定。`,
  apart: (chance) => `此外，报告透露更多信息的概率最多为 ${chance}。`,
  more: "您受到怎样的保护？",
};

export const SENDING = {
  title: "正在发送您的报告",
  thanks: "谢谢您",
  recorded: "您的报告已记录。您的回答已从此页面清除。",
  randomizing: "正在随机处理您的回答。",
  cleared: "您的回答已经过随机处理，并已从此页面清除。只留下完成的报告。即使页面多次发送，也始终是同一份报告。",
  lasting: "您可以关闭此页面。以后在此浏览器中重新打开，页面会发送同一份报告。无痕窗口关闭后不会保留报告。",
  fleeting: "请保持此页面打开：此浏览器不允许页面保存报告。",
  now: "立即重试",
  trying: "正在发送……",
  network: "无法连接网络或服务器。",
  busy: "服务器繁忙，要求稍候。",
  server: "服务器目前出现问题。",
  waiting: (reason, seconds) => `尚未发送。${reason}页面将在 ${seconds} 秒后重试。`,
};

export const STOPPED = {
  lost: "问题没有送达",
  lostWhy: (sent) => `无法连接网络或服务器。${sent}`,
  again: "重试",
  nothingSent: "没有发送任何内容。",
  earlierSent: "此浏览器以前发送的报告不受影响。",
  waits: "您完成的报告在此浏览器中等待。页面一旦正常打开就会发送。",
  unknownNow: "现在没有发送任何内容。此浏览器没有说明以前是否发送过报告。",
  failed: "无法生成报告",
  failedWhy: "没有发送任何内容。您的回答已从此页面清除。",
};
