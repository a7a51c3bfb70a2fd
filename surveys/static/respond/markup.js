// Bold, lists, links and paragraphs in the survey's longer texts, if its definition has `markup`.
// surveys/rules/markup.py has the same rules.
//
// The result has only elements and text nodes. A link comes from the definition, the same for all respondents. It shows
// its host, opens a new tab and sends no referrer.

import { element, shapeTexts } from "./dom.js";

const HOST = String.raw`(?:[a-z\d][-a-z\d]*\.)+[a-z][-a-z\d]*`;
const REST = String.raw`(?:[/?#](?:[-.A-Za-z\d_~/?#=&+,:;@!]|%[\dA-Fa-f]{2})*)?`;
const ADDRESS = String.raw`https://${HOST}(?::\d{1,5})?${REST}|mailto:[-.A-Za-z\d_+]+@${HOST}`;
// The character before bold words is checked separately: not every browser supports lookbehind.
const BOLD = String.raw`\*\*(?<bold>[^ *](?:[^*]*[^ *])?)\*\*(?![A-Za-z\d])`;
const LINK = String.raw`\[(?<words>[^\[\] ][^\[\]]*)\]\((?=[^)]{1,400}\))(?<address>${ADDRESS})\)`;
const [IN_LINE, IN_BOLD, IN_LINK] = [`${BOLD}|${LINK}`, LINK, BOLD];
const ITEM = /^- +(?=[^ ])/;
const IN_WORD = /[A-Za-z\d]/;

/** Return the element, or replace it by one that shows its markup and return that. */
export function formed(node) {
  const blocks = parsed(node.textContent);
  if (!blocks.some(({ list, lines }) => list || lines.flat().some((each) => typeof each !== "string"))) return node;
  const made = element("div", {}, ...blocks.map(({ list, lines }) => (list ? items(lines) : paragraph(lines))));
  for (const { name, value } of node.attributes) made.setAttribute(name, value);
  made.style.whiteSpace = "pre-line";
  for (const block of [...made.children].slice(1)) block.style.marginTop = "0.5rem";
  node.replaceWith(made);
  return made;
}

function items(lines) {
  const list = element("ul", {}, ...lines.map((line) => element("li", {}, ...line)));
  list.style.paddingInlineStart = "1.25rem";
  return list;
}

function paragraph(lines) {
  return element("p", {}, ...lines.flatMap((line, i) => (i === 0 ? line : ["\n", ...line])));
}

/** Return the paragraphs and lists of a text, {list, lines}; each line is a list of texts and elements. */
function parsed(text) {
  const all = text.split("\n");
  const isItem = (i) => ITEM.test(all[i] ?? "");
  const blocks = [];
  let block = null;
  all.forEach((line, i) => {
    const list = isItem(i) && (isItem(i - 1) || isItem(i + 1));
    if (!list && !/[^ ]/.test(line)) {
      block = null;
      return;
    }
    if (block?.list !== list) blocks.push(block = { list, lines: [] });
    block.lines.push(words(list ? line.replace(ITEM, "") : line));
  });
  return blocks;
}

/** Return texts and elements of a line. Bold words may have links, links bold words, and nothing deeper. */
function words(line, pattern = IN_LINE) {
  const made = [];
  const search = new RegExp(pattern, "g");
  let end = 0;
  for (let match = search.exec(line); match; match = search.exec(line)) {
    const { bold, words: linked, address } = match.groups;
    if (bold && IN_WORD.test(line[match.index - 1] ?? "")) {
      search.lastIndex = match.index + 1;
      continue;
    }
    const inside = bold ?? linked;
    const within = pattern === IN_LINE ? words(inside, bold ? IN_BOLD : IN_LINK) : [inside];
    if (match.index > end) made.push(line.slice(end, match.index));
    made.push(...(bold ? [element("strong", {}, ...within)] : link(within, address)));
    end = search.lastIndex;
  }
  return end < line.length ? [...made, line.slice(end)] : made;
}

function link(within, address) {
  const page = address.startsWith("https://");
  const node = element("a",
    { href: address, rel: "noreferrer noopener", target: page && "_blank" }, ...within);
  node.style.display = "inline";
  const place = page ? address.split(/[/?#:]/)[3] : address.slice("mailto:".length);
  return [node, " (", element("bdi", {}, place), ")"];
}

/** From now on show longer texts with their markup. */
export function begin() {
  shapeTexts(formed);
}
