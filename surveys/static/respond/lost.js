// The way to a survey where its link is not whole. What mail gateways, messengers and people did to the link is undone where
// that needs no guess: a code has a check, so what is read wrongly is none. Else a code can be typed. The server is told
// nothing but the code of a survey, as always.

import { DEFINITION } from "./arrival.js";
import { button, element, panel } from "./dom.js";
import { linkOf, LETTERS, remainder, slug } from "./link.js";
import { show } from "./view.js";
import { LOST, NOT_ASKED, SENDING, STOPPED } from "./words.js";

// Of codes of surveys, the last of which are short enough to be typed, and of invitations: what remainder() says is the place.
const [SHORT, LONG] = [8, 27];
const LENGTHS = [[LONG, SHORT], [LONG, LONG + 1]];
const ROUNDS = 5;
const OTHERS = /[^a-z\d]+/;
const CODE = new RegExp(`^[${LETTERS}]+$`);

// Reading -------------------------------------------------------------------------------------------------------------

/** A text without percent-encoding, wide letters, capitals and characters that nobody sees. */
function plain(text) {
  let read = text;
  for (let i = 0; i < ROUNDS; i += 1) read = read.replace(/(%[\da-f]{2})+/gi, decoded).normalize("NFKC");
  return read.replace(/\p{Cf}/gu, "").toLowerCase();
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return " ";
  }
}

/** The parts that could be codes: as they are, as quoted-printable, without breaks, and typed in groups, one code or two. */
function partsOf(read) {
  const printable = read.replace(/=([\da-f]{2})/g, (_, pair) => String.fromCharCode(parseInt(pair, 16)));
  const joined = read.split(OTHERS).join("");
  const two = [SHORT, LONG].map((end) => [joined.slice(0, end), joined.slice(end)]);
  const typed = two.filter((pair) => pair.every(sound)).flat();
  // Two groups of four that meet there are no short code.
  const unbroken = read.replace(/[=\s]+/g, "").split(OTHERS).filter(({ length }) => length > SHORT);
  return [...typed, joined, ...[read, printable].flatMap((each) => each.split(OTHERS)), ...unbroken];
}

/** Whether it is a code of this kind, unchanged. */
function sound(code, kind) {
  return LENGTHS[kind].includes(code.length) && CODE.test(code) && remainder(code) === kind;
}

/** The fragment of the link that a text means, with its language; null where it names neither survey nor invitation. */
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

/** Begin anew with the link that a text means; else what there is to say. */
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

/** The slug of the survey that has a short code; null where none has. */
async function lookedUp(code) {
  const response = await fetch(DEFINITION, { headers: linkOf(code), credentials: "omit", cache: "no-store", redirect: "error" });
  if (!response.ok && response.status !== 404) throw new Error(response.status);
  return response.headers.get("survey-link");
}

/** A view with a title and sentences, where a code can be typed. */
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

/** Where no survey has the link: mend it, or ask for a code. `sent` names what a person must know about sending. */
export async function lost(sent) {
  const { pathname, search, hash } = location;
  const given = `${pathname.replace(/^\/+s/i, "")}${search}${hash}`;
  const fragment = fragmentOf(given);
  const same = slug && `#${fragment}` === hash;
  if (fragment && !same && !(await open(given))) return;
  const [title, why] = /[^/#]/.test(given) ? [NOT_ASKED.nowhere, NOT_ASKED.nowhereWhy(STOPPED[sent])] : [LOST.title, STOPPED[sent]];
  show(() => asking(title, why));
}
