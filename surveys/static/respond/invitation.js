// For surveys by invitation: the signature that admits a report, made by this site without seeing what it signs (RFC
// 9474, RSABSSA-SHA384-PSS-Deterministic with the exponent 65537). surveys/respondent/invitations/blind.py is the other
// side. The message names the report by its random id. This page multiplies it by a random factor, so that the product
// could be any number and reveals nothing about the report. It removes the factor from the signature and sends the
// result with the report; only this browser has seen it. It sends only a signature by the definition's or the group's
// key, because another key would make its report recognizable. Token, blinded message and factor are stored with the
// report before any is used. So a person who returns requests the same signature again, and sends the same bytes.

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
// Minutes: the delay of a report that is sent later, and the time left for retries before the survey's end.
const [DELAY, MARGIN] = [[10, 180], 10];
// Milliseconds: a minute; the wait for news about invitations; and between looks at the clock, because timers stop
// while a device sleeps.
const [MINUTE, PATIENCE, LOOK] = [60000, 5000, 30000];
let known = null;
// The known end of the survey; and the box for sending the report later.
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

/** Return the inverse of a number; RangeError if it has none. */
function inverseOf(number, modulus) {
  let [a, b, x, y] = [number, modulus, 1n, 0n];
  while (b > 0n) [a, b, x, y] = [b, a % b, y, x - a / b * y];
  if (a !== 1n) throw new RangeError("It has a divisor of the modulus");
  return (x + modulus) % modulus;
}

/** Return EMSA-PSS-ENCODE (RFC 8017, 9.1.1) with SHA-384: a number of at most so many bits, as bytes. */
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

/** Blind (RFC 9474, 4.2): return {message, inverse}, the blinded message and the inverse that removes `factor`. */
export async function blind(modulus, message, salt, factor) {
  const length = lengthOf(modulus);
  const number = numberOf(await encoded(message, bitsOf(modulus) - 1, salt));
  inverseOf(number, modulus);
  const [product, inverse] = [number * power(factor, modulus) % modulus, inverseOf(factor, modulus)];
  return { message: bytesOf(product, length), inverse: bytesOf(inverse, length) };
}

/** Finalize (RFC 9474, 4.4): return the signature of the message, null if it is not by the key with this modulus. */
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
const SOUND = new RegExp(`^\\{(${KEY}|"groups":\\[(\\{${KEY},"name":"[^"\\\\]{1,80}"\\},?){2,20}\\])(,"sample":true)?\\}$`, "u");
// The link's group: the last letter of its token before the check letter.
const linked = LETTERS.indexOf(given.slice(26, -1) || "-");
const groupOf = ({ invitations }) => invitations.groups?.[linked];

/** Return whether a definition's keys are well-formed, its groups differ, and it has no forms beside groups. */
export function sound({ invitations, forms }) {
  const names = SOUND.test(JSON.stringify(invitations)) && (invitations.groups ?? []).map(({ name }) => name);
  return names && new Set(names).size === names.length && !(names.length && forms);
}

/** Return the modulus of a group's key, or of the only key. */
const modulusOf = ({ invitations }, group) => numberOf(fromText((invitations.groups?.[group] ?? invitations).modulus));

function messageOf(body) {
  const { digest, report_id: id } = JSON.parse(body);
  return new TextEncoder().encode(`deniable report\n${digest}\n${id}`);
}

/** Return {token, blinded, inverse, due, group} to keep with a report; due is 1 to wait. Raises RepeatingGenerator. */
export async function blinded(definition, body, token) {
  const words = browserWords();
  const random = (count) => new Uint8Array(Uint32Array.from({ length: count / 4 }, words).buffer);
  const group = groupOf(definition) && { group: linked };
  const [modulus, salt] = [modulusOf(definition, group?.group), random(SALT)];
  let factor = 0n;
  // Uniform below the modulus; at least half of all draws are below it.
  while (factor === 0n || factor >= modulus) factor = numberOf(random(lengthOf(modulus)));
  const { message, inverse } = await blind(modulus, messageOf(body), salt, factor);
  return { token, blinded: textOf(message), inverse: textOf(inverse), due: box?.checked ? 1 : 0, ...group };
}

/** Return the report with its group and its signature as the last field; null if the signature is not by the key. */
async function signedBody(definition, { body, inverse, group }, signature) {
  if (!/^[-\w]+$/.test(signature)) return null;
  const mine = await finalized(modulusOf(definition, group), messageOf(body), fromText(signature), fromText(inverse))
    .catch(() => null);
  const said = group === undefined ? "" : `"group":${group},`;
  return mine && `${body.slice(0, -1)},${said}"signature":"${textOf(mine)}"}`;
}

/** Return the meaning of a reply: {signature}, {status} of a final refusal, or null for "try again". */
function decided(reply) {
  const { status, content } = reply;
  if (status === 200) return content && { signature: String(content.signature) };
  const type = String(content?.type ?? "");
  return status === 403 && type.endsWith("/no-invitation") ? { status: "unsigned" } : judge(reply);
}

// Return the public facts {revoked, ends}: marks of the revoked invitations, and when the survey ends, Infinity without an
// end. The request is the same for all respondents, so it reveals nothing about an invitation.
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

/** Return the least and most minutes of delay; less if the survey ends soon. */
function delays() {
  const [shortest, most] = DELAY;
  return [shortest, Math.min(most, Math.floor((ending - Date.now()) / MINUTE) - MARGIN)];
}

/** Return the choice of a later moment for the report, below "Send", if there is time for one. */
export function choices() {
  const [shortest, longest] = delays();
  if (longest <= shortest) return [];
  const why = element("p", { class: "hint", id: "why-later" }, INVITED.why);
  box = element("input", { type: "checkbox", value: "", autocomplete: "off", "aria-describedby": why.id });
  return [element("label", { class: "agree" }, box, INVITED.later(shortest, longest)), why];
}

/** Return the first 64 bits of a token's hash, which only a holder of the token recognizes. */
export async function markOf(token) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token)));
  return textOf(hash.slice(0, 8));
}

// Return the view to show instead of the questions, null if they may be asked. The page learns that an invitation was
// used only at its next use. Else anyone with its link could learn whether the invited person has answered.
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
 * Get the signature, then wait if the report is sent later; each step is stored before the next. Return the record,
 * null if its invitation was refused, undefined if another tab has settled it.
 */
export async function readied(definition, record, store) {
  let now = record;
  while (now && (now.token !== undefined || now.due > Date.now())) {
    now = await (now.token ? signed : later)(now, store, definition);
  }
  return now;
}

/** Return a uniformly random moment between `shortest` and `longest` minutes from now. */
export function atRandom(shortest, longest) {
  const [word] = crypto.getRandomValues(new Uint32Array(1));
  return Date.now() + Math.round(MINUTE * (shortest + (longest - shortest) * word / 2 ** 32));
}

/** Add the signature to the report and keep only the invitation's mark. A wait begins now. */
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

/** Wait until the report is due, or the person presses the button. */
async function later(record, store) {
  // The survey's end may have become earlier.
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

// Replace a record by `next`, or delete it if that is null; return `next`, or undefined if another tab has settled the
// report in the meantime.
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

/** Return a note that names the report's group, null without groups. */
export function grouped(definition) {
  const mine = groupOf(definition);
  return mine ? element("p", {}, INVITED.group(mine.name)) : null;
}

/** Return the promise about invitations, for the folded part of the page's promise. */
export function promised({ invitations: { groups } }) {
  const text = groups && INVITED.groups(groups.map(({ name }) => name));
  return element("div", {}, element("p", {}, INVITED.promise), text ? element("p", {}, text) : null);
}
