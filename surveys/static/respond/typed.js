// Numbers as people type them: in the digits of any script, with the separators of any language.
// surveys/figures/typed.py has the same table.

import { shortest } from "./rules.js";

// The mark between thousands, where it is unambiguous. In other languages the page asks about a mark before three
// digits.
const THOUSANDS = { de: ".", en: ",", pt: ".", tr: ".", zh: "," };
// The second alternative is the Indian grouping.
const WHOLE = /^(\d+|[1-9]\d{0,2}([.,·'_ ٬])(\d{3}\2)*\d{3}|[1-9]\d?([ ,])(\d\d\4)+\d{3})$/;
// Thousands with a digit too many or too few: 1000,000 may be a million, and 1,0000 ten thousand.
const NEARLY = /^[1-9]\d*([.,·])(\d{3}|000+)$/;

/** Return the text with European digits and marks, without invisible characters. */
export function european(text) {
  return text.replace(/\p{Cf}/gu, "").replace(/\p{Nd}/gu, digit)
    .replace(/[\u2010-\u2013\u2212\ufe63\uff0d]/g, "-").replace(/[\ufe62\uff0b]/g, "+")
    .replace(/[\u3002\ufe52\uff0e\uff61]/g, ".").replace(/[\u060c\ufe50\uff0c]/g, ",").replace(/[\u02bc\u2018\u2019\uff07]/g, "'").replace(/\s+/g, " ").trim();
}

/** Return a digit's value: in every script digits are in a row from 0 to 9, and adjacent rows are complete. */
export function digit(each) {
  let row = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(each.codePointAt(0) - 1 - row))) row++;
  return row % 10;
}

/**
 * Return the possible readings of a text as decimal strings: none, one or two; the first has the mark between thousands.
 */
export function readings(text, language) {
  const [, sign, body] = /^([-+]?) ?(.*)$/.exec(european(text));
  const [, before, mark, decimals] = /^(.*)([.,·٫])(\d*)$/.exec(body) ?? [];
  const plain = (whole, more) => shortest(`${sign.replace("+", "")}${whole.replace(/\D|^0+/g, "") || 0}.${more}0`);
  const found = [];
  const thousands = THOUSANDS[language.split("-")[0]];
  const nearly = NEARLY.test(body) && [mark, undefined].includes(thousands);
  if (WHOLE.test(body) || nearly) found.push(plain(body, ""));
  if (mark && (before ? WHOLE.test(before) && !before.includes(mark) : decimals)) found.push(plain(before, decimals));
  return found.length > 1 && WHOLE.test(body) && thousands === mark ? found.slice(0, 1) : found;
}

/** Return a decimal string that every language reads alike: 1.1250 for 1.125. */
export function unmistakable(plain) {
  return plain.replace(/^-?[1-9]\d*\.\d{3}$/, "$&0");
}
