// Sending through a relay, for a survey that names one (RFC 9458): the page encrypts its requests for this site's
// gateway, and the relay forwards them. The relay sees the sender but cannot read the request; the gateway reads the
// request but sees only the relay. surveys/respondent/relay/ is the other side.
//
// The gateway's key is in the definition, the same for all respondents. Each try has the same report (delivery.js) but
// a new capsule, so no one on the way recognizes a repetition. Nothing goes directly to this site unless the person
// presses the button for that.
//
// HPKE (RFC 9180) in mode base with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and AES-128-GCM.

import { through } from "./delivery.js";
import { button, element } from "./dom.js";
import { RELAY } from "./words.js";

const [REQUEST, RESPONSE] = ["message/ohttp-req", "message/ohttp-res"];
// The numbers of the KEM, the KDF and the AEAD.
const SUITE = [0x00, 0x20, 0x00, 0x01, 0x00, 0x01];
const OF_KEM = [...ascii("KEM"), ...SUITE.slice(0, 2)];
const OF_HPKE = [...ascii("HPKE"), ...SUITE];
// Bytes.
const [HASH, KEY, NONCE] = [32, 16, 12];
// Padded lengths are multiples of it.
const STEP = 1024;

function ascii(text) {
  return new TextEncoder().encode(text);
}

function bytes(...parts) {
  return Uint8Array.from(parts.map((part) => Array.from(part)).flat());
}

// HPKE ----------------------------------------------------------------------------------------------------------------

/** HKDF's two steps (RFC 5869), the second for at most one hash. */
async function extract(salt, secret) {
  // Some browsers accept no empty key; for HMAC zeros are equivalent.
  const raw = salt.length > 0 ? salt : new Uint8Array(HASH);
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, secret));
}

async function expand(secret, purpose, length) {
  return (await extract(secret, bytes(purpose, [1]))).slice(0, length);
}

function labeledExtract(suite, salt, label, secret) {
  return extract(salt, bytes(ascii("HPKE-v1"), suite, ascii(label), secret));
}

function labeledExpand(suite, secret, label, purpose, length) {
  return expand(secret, bytes([0, length], ascii("HPKE-v1"), suite, ascii(label), purpose), length);
}

/** Return the sender's context for a public key, with its own key pair: {enc, key, nonce, exporter}. */
export async function sender(publicKey, purpose, { privateKey, publicKey: own }) {
  const enc = new Uint8Array(await crypto.subtle.exportKey("raw", own));
  const other = await crypto.subtle.importKey("raw", publicKey, { name: "X25519" }, false, []);
  const shared = new Uint8Array(await crypto.subtle.deriveBits({ name: "X25519", public: other }, privateKey, 8 * HASH));
  const secret = await labeledExtract(OF_KEM, [], "eae_prk", shared);
  const inside = await labeledExpand(OF_KEM, secret, "shared_secret", bytes(enc, publicKey), HASH);
  const hashes = [["psk_id_hash", []], ["info_hash", purpose]];
  const context = bytes([0], ...await Promise.all(hashes.map((each) => labeledExtract(OF_HPKE, [], ...each))));
  const root = await labeledExtract(OF_HPKE, inside, "secret", []);
  const lengths = [["key", KEY], ["base_nonce", NONCE], ["exp", HASH]];
  const [key, nonce, exporter] = await Promise.all(
    lengths.map(([label, length]) => labeledExpand(OF_HPKE, root, label, context, length)));
  return { enc, key, nonce, exporter };
}

async function gcm(key, use) {
  return crypto.subtle.importKey("raw", key, { name: "AES-GCM" }, false, [use]);
}

// Capsules ------------------------------------------------------------------------------------------------------------

/** Return a request sealed for the gateway's key: {capsule, enc, exporter}; the last two open the response. */
export async function sealed(id, publicKey, content, pair) {
  const head = [id, ...SUITE];
  const purpose = bytes(ascii("message/bhttp request"), [0], head);
  const { enc, key, nonce, exporter } = await sender(publicKey, purpose, pair);
  const closed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, await gcm(key, "encrypt"), content);
  return { capsule: bytes(head, enc, new Uint8Array(closed)), enc, exporter };
}

/** Return the gateway's response; an error unless it was made for this request. */
export async function opened({ enc, exporter }, capsule) {
  const nonce = capsule.slice(0, KEY);
  const secret = await labeledExpand(OF_HPKE, exporter, "sec", ascii("message/bhttp response"), KEY);
  const root = await extract(bytes(enc, nonce), secret);
  const [key, iv] = await Promise.all([["key", KEY], ["nonce", NONCE]].map(([label, n]) => expand(root, ascii(label), n)));
  const opening = await gcm(key, "decrypt");
  return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, opening, capsule.slice(KEY)));
}

// Binary HTTP (RFC 9292) ----------------------------------------------------------------------------------------------

/** Return a length in the fewest bytes. */
function number(value) {
  if (value < 0x40) return [value];
  return value < 0x4000 ? [0x40 | value >> 8, value & 0xff] : [0x80 | value >> 24, value >> 16 & 0xff, value >> 8 & 0xff, value & 0xff];
}

function counted(part) {
  return bytes(number(part.length), part);
}

/** Return the request that fetch(address, options) would send to this site, padded. */
export function request(address, { method, headers, body }) {
  const line = [method, location.protocol.slice(0, -1), location.host, address].map((each) => counted(ascii(each)));
  const fields = Object.entries(headers).flat().map((each) => counted(ascii(each)));
  const whole = bytes([0], ...line, counted(bytes(...fields)), counted(ascii(body)));
  return bytes(whole, new Uint8Array((STEP - whole.length % STEP) % STEP));
}

/** Return the response in these bytes; an error if there is none. */
export function response(data) {
  const reader = readerOf(data);
  if (reader.number() !== 1) throw new RangeError("It is no response");
  const status = reader.number();
  const fields = readerOf(reader.field());
  const headers = new Headers();
  const text = (part) => new TextDecoder().decode(part);
  while (fields.more()) headers.append(text(fields.field()), text(fields.field()));
  return new Response(reader.field(), { status, headers });
}

function readerOf(data) {
  let at = 0;
  function take(count) {
    if (at + count > data.length) throw new RangeError("It ends too early");
    at += count;
    return data.slice(at - count, at);
  }
  function length() {
    const [first] = take(1);
    return take((1 << (first >> 6)) - 1).reduce((sum, byte) => 256 * sum + byte, first & 0x3f);
  }
  return { number: length, field: () => take(length()), more: () => at < data.length };
}

// The way -------------------------------------------------------------------------------------------------------------

/** Deliver everything through the relay from now on, and mention it before the first question. */
export function begin({ relay: { origin, key } }, sayings) {
  const { host } = new URL(origin);
  const [id, ...publicKey] = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  // This page connects only to its own survey's relay.
  document.head.append(element("meta", { "http-equiv": "Content-Security-Policy", content: `connect-src 'self' ${origin}` }));
  through(async (...given) => {
    try {
      return await carried(origin, id, Uint8Array.from(publicKey), ...given);
    } catch (error) {
      offer(host);
      throw error;
    }
  });
  sayings.push(() => element("p", {}, RELAY.promise(host)));
}

async function carried(origin, id, publicKey, address, options) {
  const pair = await crypto.subtle.generateKey({ name: "X25519" }, true, ["deriveBits"]);
  const mine = await sealed(id, publicKey, request(address, options), pair);
  const reply = await fetch(`${origin}/`, { ...options, headers: { "content-type": REQUEST }, body: mine.capsule });
  if (!reply.ok || reply.headers.get("content-type") !== RESPONSE) throw new Error("The relay did not bring it to the gateway");
  return response(await opened(mine, new Uint8Array(await reply.arrayBuffer())));
}

/** Add to the view of sending that the relay fails, with a button to bypass it. */
function offer(host) {
  const place = document.getElementById("outcome")?.parentElement;
  if (!place || place.querySelector("[data-direct]")) return;
  const direct = () => {
    through(fetch);
    said.forEach((node) => node.remove());
    // Ends the pause before the next try, as a returning network does.
    window.dispatchEvent(new Event("online"));
  };
  const said = [element("p", { "data-direct": "" }, RELAY.lost(host)), button(RELAY.direct, { class: "button" }, direct)];
  place.append(...said);
}
