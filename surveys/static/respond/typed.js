// Numbers as people type them: in the digits of any script, with the marks that languages write between digits.
// surveys/figures/typed.py has the same table.

import { shortest } from "./rules.js";

// The mark between thousands, in languages where all readers know it for that. Elsewhere a mark before three digits is
// asked about.
const THOUSANDS = { de: ".", en: ",", pt: ".", tr: ".", zh: "," };
// The second form is that of India.
const WHOLE = /^(\d+|[1-9]\d{0,2}([.,·'_ ٬])(\d{3}\2)*\d{3}|[1-9]\d?([ ,])(\d\d\4)+\d{3})$/;

/** The text with European digits and marks, and without what is not seen. */
export function european(text) {
  return text.replace(/\p{Cf}/gu, "").replace(/\p{Nd}/gu, digit)
    .replace(/[\u2010-\u2013\u2212\ufe63\uff0d]/g, "-").replace(/[\ufe62\uff0b]/g, "+")
    .replace(/[\u3002\ufe52\uff0e\uff61]/g, ".").replace(/[\u060c\ufe50\uff0c]/g, ",").replace(/[\u02bc\u2018\u2019\uff07]/g, "'").replace(/\s+/g, " ").trim();
}

/** In every script digits stand in a row from 0 to 9, and rows side by side are whole. */
function digit(each) {
  let row = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(each.codePointAt(0) - 1 - row))) row++;
  return row % 10;
}

/**
 * The numbers that a text may stand for, as decimal strings: none, one or two, of which the first has the mark between
 * thousands.
 */
export function readings(text, language) {
  const [, sign, body] = /^([-+]?) ?(.*)$/.exec(european(text));
  const [, before, mark, decimals] = /^(.*)([.,·٫])(\d*)$/.exec(body) ?? [];
  const plain = (whole, more) => shortest(`${sign.replace("+", "")}${whole.replace(/\D|^0+/g, "") || 0}.${more}0`);
  const found = [];
  if (WHOLE.test(body)) found.push(plain(body, ""));
  if (mark && (before ? WHOLE.test(before) && !before.includes(mark) : decimals)) found.push(plain(before, decimals));
  return found.length > 1 && THOUSANDS[language.split("-")[0]] === mark ? found.slice(0, 1) : found;
}

/** A decimal string that is read alike in every language: 1.125 is 1.1250. */
export function unmistakable(plain) {
  return plain.replace(/^-?[1-9]\d{0,2}\.\d{3}$/, "$&0");
}
