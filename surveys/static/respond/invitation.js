// What a survey by invitation needs beside: the signature that lets its report in, made by this site without seeing what it
// signs (RFC 9474, RSABSSA-SHA384-PSS-Deterministic with the exponent 65537). surveys/respondent/invitations/blind.py is the other side.
// The message names the report by its random id. It is multiplied by a random factor, and the product is as likely to be
// any other number: seen together with the invitation, it tells nothing about the report. The factor is taken out of the
// signature here, and the report goes with what is left, which nobody has seen but this browser. Only a signature that
// the definition's own key has made is sent, or that of the group; one of another key would make its report recognizable.
// The token, what is shown with it and what takes the factor out are kept with the report before any of them is used. So
// whoever comes back asks for the same signature again, and sends the same bytes.

import { deliver, judge } from "./delivery.js";
import { button, element, panel } from "./dom.js";
import { browserWords } from "./generator.js";
import { locale } from "./language.js";
import { LETTERS, linkOf, remainder, token as given } from "./link.js";
import { notice } from "./notice.js";
import { answer } from "./store.js";
import { loaded, show, untilSent } from "./view.js";
import { INVITED, STOPPED } from "./words.js";

const SIGNATURES = "/respond/signature";
const ABOUT = "/respond/invitations";
const SALT = 48;
// Minutes: of a report that is to be sent later, and before the end of the survey, which stay free for tries.
const [DELAY, MARGIN] = [[10, 180], 10];
// Ms: a minute; as long as nobody hears of them, invitations are as good as they look; and until the clock is looked at again,
// which stands still while the device sleeps.
const [MINUTE, PATIENCE, LOOK] = [60000, 5000, 30000];
let known = null;
// When the survey ends, as far as somebody has told; and the box of whoever wants the report to be sent later.
let [ending, box] = [Infinity, null];

// Arithmetic ----------------------------------------------------------------------------------------------------------

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((start, part) => (all.set(part, start), start + part.length), 0);
  return all;
}

const sha384 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-384", joined(...parts)));
const hex = (byte) => byte.toString(16).padStart(2, "0");
const numberOf = (bytes) => BigInt(`0x${Array.from(bytes, hex).join("")}`);
const pairsOf = (number, length) => number.toString(16).padStart(2 * length, "0").match(/../g);
const bytesOf = (number, length) => Uint8Array.from(pairsOf(number, length), (byte) => parseInt(byte, 16));
const bitsOf = (number) => number.toString(2).length;
const lengthOf = (number) => Math.ceil(bitsOf(number) / 8);

/** base64url without padding, and back. */
function textOf(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromText(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
}

/** A number to the power of 65537. */
function power(number, modulus) {
  let square = number;
  for (let i = 0; i < 16; i += 1) square = square * square % modulus;
  return square * number % modulus;
}

/** What the number has to be multiplied by to be 1; RangeError where nothing is. */
function inverseOf(number, modulus) {
  let [a, b, x, y] = [number, modulus, 1n, 0n];
  while (b > 0n) [a, b, x, y] = [b, a % b, y, x - a / b * y];
  if (a !== 1n) throw new RangeError("It has a divisor of the modulus");
  return (x + modulus) % modulus;
}

/** EMSA-PSS-ENCODE (RFC 8017, 9.1.1) with SHA-384: a number of at most so many bits, as bytes. */
export async function encoded(message, bits, salt) {
  const length = Math.ceil(bits / 8);
  const hash = await sha384(new Uint8Array(8), await sha384(message), salt);
  const block = joined(new Uint8Array(length - hash.length - salt.length - 2), [1], salt);
  const mask = await mgf1(hash, block.length);
  const masked = block.map((byte, i) => byte ^ mask[i]);
  masked[0] &= 0xff >> (8 * length - bits);
  return joined(masked, hash, [0xbc]);
}

/** MGF1 (RFC 8017, B.2.1), for at most 256 hashes. */
async function mgf1(seed, length) {
  const count = Math.ceil(length / seed.length);
  const blocks = await Promise.all(Array.from({ length: count }, (_, i) => sha384(seed, [0, 0, 0, i])));
  return joined(...blocks).slice(0, length);
}

/** Blind (RFC 9474, 4.2): {message, inverse}, what the signer is shown and what takes `factor` out of its reply. */
export async function blind(modulus, message, salt, factor) {
  const length = lengthOf(modulus);
  const number = numberOf(await encoded(message, bitsOf(modulus) - 1, salt));
  inverseOf(number, modulus);
  const [product, inverse] = [number * power(factor, modulus) % modulus, inverseOf(factor, modulus)];
  return { message: bytesOf(product, length), inverse: bytesOf(inverse, length) };
}

/** Finalize (RFC 9474, 4.4): the signature of the message, null where it is none of the key with this modulus. */
export async function finalized(modulus, message, signature, inverse) {
  const length = lengthOf(modulus);
  const number = numberOf(signature);
  if (signature.length !== length || number >= modulus) return null;
  const unblinded = bytesOf(number * numberOf(inverse) % modulus, length);
  const key = { kty: "RSA", n: textOf(bytesOf(modulus, length)), e: "AQAB" };
  const hashing = { name: "RSA-PSS", hash: "SHA-384" };
  const checking = await crypto.subtle.importKey("jwk", key, hashing, false, ["verify"]);
  const valid = await crypto.subtle.verify({ name: "RSA-PSS", saltLength: SALT }, checking, unblinded, message);
  return valid ? unblinded : null;
}

// The report ----------------------------------------------------------------------------------------------------------

// A key, 2048 bits with the first and the last set, or one for each group: surveys/survey/definition/invitations.py.
const KEY = '"modulus":"[-_g-z\\d][-\\w]{340}[Qw]"';
const SOUND = new RegExp(`^\\{(${KEY}|"groups":\\[(\\{${KEY},"name":"[^"\\\\]{1,80}"\\},?){2,20}\\])\\}$`, "u");
// Of which group the link is: the last letter of its token but the check.
const linked = LETTERS.indexOf(given.slice(26, -1) || "-");
const groupOf = ({ invitations }) => invitations.groups?.[linked];

/** Whether a definition's keys are such, its groups differ, and forms are not among them: a report has one place. */
export function sound({ invitations, forms }) {
  const names = SOUND.test(JSON.stringify(invitations)) && (invitations.groups ?? []).map(({ name }) => name);
  return names && new Set(names).size === names.length && !(names.length && forms);
}

/** The modulus of the key of a group, or of the only one. */
const modulusOf = ({ invitations }, group) => numberOf(fromText((invitations.groups?.[group] ?? invitations).modulus));

function messageOf(body) {
  const { digest, report_id: id } = JSON.parse(body);
  return new TextEncoder().encode(`deniable report\n${digest}\n${id}`);
}

/** {token, blinded, inverse, due}, of a group {group}: kept with a report; due is 1 if it shall wait. RepeatingGenerator. */
export async function blinded(definition, body, token) {
  const words = browserWords();
  const random = (count) => new Uint8Array(Uint32Array.from({ length: count / 4 }, words).buffer);
  const group = groupOf(definition) && { group: linked };
  const [modulus, salt] = [modulusOf(definition, group?.group), random(SALT)];
  let factor = 0n;
  // Each number below the modulus is as likely as any other; half of all draws are, or more.
  while (factor === 0n || factor >= modulus) factor = numberOf(random(lengthOf(modulus)));
  const { message, inverse } = await blind(modulus, messageOf(body), salt, factor);
  return { token, blinded: textOf(message), inverse: textOf(inverse), due: box?.checked ? 1 : 0, ...group };
}

/** The report with its signature as its last field, and its group, null where what came is no signature of the key. */
async function signedBody(definition, { body, inverse, group }, signature) {
  if (!/^[-\w]+$/.test(signature)) return null;
  const mine = await finalized(modulusOf(definition, group), messageOf(body), fromText(signature), fromText(inverse))
    .catch(() => null);
  const said = group === undefined ? "" : `"group":${group},`;
  return mine && `${body.slice(0, -1)},${said}"signature":"${textOf(mine)}"}`;
}

/** What a reply means: {signature}, {status} of a refusal for good, or null for "ask again". */
function decided(reply) {
  const { status, content } = reply;
  if (status === 200) return content && { signature: String(content.signature) };
  const type = String(content?.type ?? "");
  return status === 403 && type.endsWith("/no-invitation") ? { status: "unsigned" } : judge(reply);
}

// What everybody may know: {revoked, ends}, marks of the invitations that were taken back, and the moment at which the
// survey ends, Infinity where nobody set one. The same for all who ask, it tells the server nothing of an invitation.
function about(slug) {
  known ??= heard(slug).catch(() => {
    known = null;
    return { revoked: [], ends: Infinity };
  });
  return known;
}

async function heard(slug) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), PATIENCE);
  const [{ signal }, headers] = [controller, linkOf(slug)];
  const response = await fetch(ABOUT, { headers, signal, credentials: "omit", cache: "no-store", redirect: "error" });
  const { revoked, seconds } = await response.json();
  ending = seconds === null ? Infinity : Date.now() + 1000 * seconds;
  return { revoked, ends: ending };
}

/** Minutes: between these a report is sent later, unless the survey ends too soon for that. */
function delays() {
  const [shortest, most] = DELAY;
  return [shortest, Math.min(most, Math.floor((ending - Date.now()) / MINUTE) - MARGIN)];
}

/** What stands below "Send": the choice of a later moment for the report, where there is time for one. */
export function choices() {
  const [shortest, longest] = delays();
  if (longest <= shortest) return [];
  const why = element("p", { class: "hint", id: "why-later" }, INVITED.why);
  box = element("input", { type: "checkbox", value: "", autocomplete: "off", "aria-describedby": why.id });
  return [element("label", { class: "agree" }, box, INVITED.later(shortest, longest)), why];
}

/** The first 64 bits of a token's hash: they name it to whoever has it. */
export async function markOf(token) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
  return textOf(hash.slice(0, 8));
}

// What is said in the place of the questions, null where they may be asked. That an invitation was used before is said by
// nobody until it is used again: whoever has its link could ask for that, and hear whether its person has answered.
export async function refusal(definition, slug, token) {
  if (!sound(definition)) return () => notice(INVITED.wrongKey, INVITED.fault, STOPPED.nothingSent);
  const whole = remainder(token) === 1 && (groupOf(definition) || !definition.invitations.groups);
  const { asking } = whole ? {} : await loaded("lost.js");
  if (!whole) return () => asking(token ? INVITED.changed : INVITED.missing, INVITED.missingWhy);
  const refused = (await about(slug)).revoked.includes(await markOf(token));
  return refused ? () => notice(INVITED.revoked, INVITED.takenBack, STOPPED.nothingSent) : null;
}

// The way of a record -------------------------------------------------------------------------------------------------

/**
 * Do what the report needs before it is delivered, a signature and time, one after the other, each kept before the next; the
 * record then, null where its invitation was refused, undefined where another tab has settled it.
 */
export async function readied(definition, record, store) {
  let now = record;
  while (now && (now.token !== undefined || now.due > Date.now())) {
    now = await (now.token ? signed : later)(now, store, definition);
  }
  return now;
}

/** A moment so many minutes from now, or any between. */
export function atRandom(shortest, longest) {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  return Date.now() + Math.round(MINUTE * (shortest + (longest - shortest) * word / 2 ** 32));
}

/** Get the signature into the report, which with that forgets the invitation but for its mark. A wait begins only then. */
async function signed(record, store, definition) {
  const { slug, digest, token } = record;
  const wish = JSON.stringify({ token, blinded: record.blinded });
  const reply = await untilSent(store, (handlers) => deliver(slug, wish, handlers, SIGNATURES, decided));
  if (reply.signature === undefined) {
    if (await kept(record, store, null) === undefined) return undefined;
    show(() => notice(INVITED.refused, INVITED[reply.status] ?? INVITED.fault, INVITED.deleted));
    return null;
  }
  const body = await signedBody(definition, record, reply.signature);
  if (record.due) await about(slug);
  const [shortest, longest] = delays();
  const due = record.due && atRandom(longest > shortest ? shortest : 0, longest);
  if (body !== null) return kept(record, store, { slug, digest, body, due, used: await markOf(token) });
  await new Promise((resolve) => {
    show(() => notice(INVITED.wrong, INVITED.wrongWhy, button(INVITED.again, { class: "button primary" }, resolve)));
  });
  return record;
}

/** Wait until it is due, or somebody does not want to. */
async function later(record, store) {
  // Somebody may have set an earlier end meanwhile.
  const due = Math.min(record.due, (await about(record.slug)).ends - MINUTE * MARGIN);
  await new Promise((resolve) => {
    const look = () => {
      const rest = due - Date.now();
      if (rest > 0) setTimeout(look, Math.min(rest, LOOK));
      else resolve();
    };
    show(() => panel("outcome", INVITED.waiting,
      element("p", {}, INVITED.until(new Date(due).toLocaleTimeString(locale(), { timeStyle: "short" }))),
      element("p", {}, store.lasting ? INVITED.closing : INVITED.fleeting),
      button(INVITED.instead, { class: "button" }, resolve)));
    look();
  });
  return { ...record, due: 0 };
}

// Keep `next` in the place of a record, or nothing where that is null, and give it back; undefined where another tab has
// settled the report meanwhile.
async function kept(record, store, next) {
  const settled = await store.remembered(async (records) => {
    const now = await answer(records.get(record.slug));
    if (now && now.body !== record.body) return true;
    if (next) records.put(next);
    else records.delete(record.slug);
    return false;
  }, () => false);
  return settled ? undefined : next;
}

/** Of which group the report will be, null where there are none. */
export function grouped(definition) {
  const mine = groupOf(definition);
  return mine ? element("p", {}, INVITED.group(mine.name)) : null;
}

/** What an invitation gives, which stands in what the page's promise folds. */
export function promised({ invitations: { groups } }) {
  const names = groups?.map(({ name }) => `“${name}”`).join(", ");
  return element("div", {}, element("p", {}, INVITED.promise), names ? element("p", {}, INVITED.groups(names)) : null);
}
