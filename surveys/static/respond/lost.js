// For incomplete links: undoes changes by mail gateways, messengers and people if that needs no guess. Codes have a
// check, which detects a misread code. Otherwise the person can type a code. The server gets only the code of a survey,
// as always.

import { DEFINITION } from "./arrival.js";
import { button, element, panel } from "./dom.js";
import { linkOf, LETTERS, remainder, slug } from "./link.js";
import { digit } from "./typed.js";
import { show } from "./view.js";
import { LOST, NOT_ASKED, SENDING, STOPPED } from "./words.js";

// Lengths of codes: of surveys, also short ones to type, and of invitations. The index is the code's remainder().
const [SHORT, LONG] = [8, 27];
const LENGTHS = [[LONG, SHORT], [LONG, LONG + 1]];
const ROUNDS = 5;
const OTHERS = /[^a-z\d]+/;
// Breaks that mail and web pages put into a long word, and separators of a URL's parts.
const BREAKS = /&(shy|#\w+);|<wbr>|[=\s>]+/g;
const BETWEEN = /[/#?&=]/;
const CODE = new RegExp(`^[${LETTERS}]+$`);

// Reading -------------------------------------------------------------------------------------------------------------

/** Return a text without percent-encoding, wide letters, digits of other scripts, capitals and invisible characters. */
function plain(text) {
  let read = text;
  for (let i = 0; i < ROUNDS; i += 1) read = read.replace(/(%[\da-f]{2})+/gi, decoded).normalize("NFKC");
  return read.replace(/\p{Cf}/gu, "").replace(/\p{Nd}/gu, digit).toLowerCase();
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return " ";
  }
}

/** Return parts that could be codes: unchanged, from quoted-printable, without breaks, and typed in groups. */
function partsOf(read) {
  const printable = read.replace(/=([\da-f]{2})/g, (_, pair) => String.fromCharCode(parseInt(pair, 16)));
  const joined = read.split(OTHERS).join("");
  const two = [SHORT, LONG].map((end) => [joined.slice(0, end), joined.slice(end)]);
  const typed = two.filter((pair) => pair.every(sound)).flat();
  // Two joined groups of four are no short code.
  const unbroken = [
    ...read.replace(BREAKS, "").split(OTHERS), ...read.split(BETWEEN).map((each) => each.split(OTHERS).join("")),
  ].filter(({ length }) => length > SHORT);
  return [...typed, joined, ...[read, printable].flatMap((each) => each.split(OTHERS)), ...unbroken];
}

/** Return whether it is an intact code of this kind. */
function sound(code, kind) {
  return LENGTHS[kind].includes(code.length) && CODE.test(code) && remainder(code) === kind;
}

/** Return the fragment of the link that a text means, with its language; null if it names no survey or invitation. */
export function fragmentOf(text, known = "") {
  const read = plain(text);
  const parts = partsOf(read);
  const [survey, invitation] = LENGTHS.map((lengths, kind) =>
    lengths.map((length) => parts.find((part) => part.length === length && sound(part, kind))).find(Boolean));
  if (!survey && !(known && invitation)) return null;
  const tongue = new RegExp(`${survey}/+([a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\\d{3}))?)(?![a-z\\d])`).exec(read)?.[1];
  return [survey ?? known, tongue, invitation].filter(Boolean).join("/");
}

// Going on ------------------------------------------------------------------------------------------------------------

/** Begin anew with the link that a text means; if that fails, return the message for it. */
async function open(text) {
  const fragment = fragmentOf(text, slug);
  if (!fragment) return LOST.wrong;
  const [code, ...more] = fragment.split("/");
  try {
    const whole = code.length > SHORT ? code : await lookedUp(code);
    if (!whole) return LOST.unknown;
    history.replaceState(null, "", `/s/#${[whole, ...more].join("/")}`);
    location.reload();
    return "";
  } catch {
    return SENDING.network;
  }
}

/** Return the slug of the survey with a short code; null if there is none. */
async function lookedUp(code) {
  const response = await fetch(DEFINITION, { headers: linkOf(code), credentials: "omit", cache: "no-store", redirect: "error" });
  if (!response.ok && response.status !== 404) throw new Error(response.status);
  return response.headers.get("survey-link");
}

/** Return a view with a title and sentences, in which a code can be typed. */
export function asking(title, ...sentences) {
  const said = element("p", { role: "status", class: "counts" });
  const input = element("input", {
    class: "entry", type: "text", dir: "ltr", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    "aria-describedby": "code-hint",
  });
  const go = async () => {
    said.textContent = "";
    said.textContent = await open(input.value);
  };
  input.addEventListener("keydown", (event) => { if (event.key === "Enter") go(); });
  return panel("outcome", title,
    ...sentences.filter(Boolean).map((each) => element("p", {}, each)),
    element("label", { class: "search" }, LOST.code, input),
    element("p", { id: "code-hint", class: "hint" }, LOST.hint), said,
    button(LOST.open, { class: "button primary" }, go));
}

/** If no survey has the link: mend it, or ask for a code. `sent` names the text on what has been sent. */
export async function lost(sent) {
  const { pathname, search, hash } = location;
  const given = `${pathname.replace(/^\/+s/i, "")}${search}${hash}`;
  const fragment = fragmentOf(given);
  const same = slug && `#${fragment}` === hash;
  if (fragment && !same && !(await open(given))) return;
  const [title, why] = /[^/#]/.test(given) ? [NOT_ASKED.nowhere, NOT_ASKED.nowhereWhy(STOPPED[sent])] : [LOST.title, STOPPED[sent]];
  show(() => asking(title, why));
}
