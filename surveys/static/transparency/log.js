// Read the public log of this site and compute its tree (RFC 6962), without trusting the log's own claims. Errors are a
// Wrong, whose code names a sentence of the page.

export class Wrong extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

const BUNDLE = 256;
const LARGEST = 2 ** 20;  // no honest site has more entries
const NOTE = 16384;  // nor a longer checkpoint

/** Return the bytes at a URL of this site, without credentials; Wrong("unreachable") without an answer. */
export async function bytesOf(path, missing = "unreachable", headers = {}) {
  const options = { credentials: "omit", cache: "no-store", redirect: "error", headers };
  const response = await fetch(path, options).catch(() => null);
  if (!response?.ok) throw new Wrong(response?.status === 404 ? missing : "unreachable");
  return new Uint8Array(await response.arrayBuffer());
}

export async function digestOf(algorithm, bytes) {
  return new Uint8Array(await crypto.subtle.digest(algorithm, bytes));
}

export function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function base64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text) {
  return Uint8Array.from(atob(text), (mark) => mark.charCodeAt(0));
}

function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

function split(n) {
  let k = 1;
  while (2 * k < n) k *= 2;
  return k;
}

async function rootOf(leaves) {
  if (leaves.length < 2) return leaves[0] ?? digestOf("SHA-256", new Uint8Array());
  const k = split(leaves.length);
  return digestOf("SHA-256", joined([1], await rootOf(leaves.slice(0, k)), await rootOf(leaves.slice(k))));
}

/** Return the hashes beside the path from a leaf to the root: the proof that it is in the tree. */
export async function inclusionOf(index, leaves) {
  if (leaves.length < 2) return [];
  const k = split(leaves.length);
  return index < k
    ? [...(await inclusionOf(index, leaves.slice(0, k))), await rootOf(leaves.slice(k))]
    : [...(await inclusionOf(index - k, leaves.slice(k))), await rootOf(leaves.slice(0, k))];
}

/** Return a number in groups of three digits; all but the last begin with x. */
function tilePath(index) {
  const digits = String(index).padStart(3 * Math.ceil(String(index).length / 3), "0");
  const groups = digits.match(/.../g);
  return groups.map((group, i) => (i < groups.length - 1 ? `x${group}/` : group)).join("");
}

async function textsOf(size) {
  if (!/^(0|[1-9]\d{0,9})$/.test(size) || size > LARGEST) throw new Wrong("root");
  const texts = [];
  for (let first = 0; first < size; first += BUNDLE) {
    const width = Math.min(BUNDLE, size - first);
    const part = width < BUNDLE ? `.p/${width}` : "";
    const bundle = await bytesOf(`/check/log/tile/entries/${tilePath(first / BUNDLE)}${part}`);
    let at = 0;
    while (at < bundle.length) {
      const end = at + 2 + 256 * bundle[at] + bundle[at + 1];
      texts.push(bundle.slice(at + 2, end));
      at = end;
    }
    if (at !== bundle.length || texts.length !== first + width) throw new Wrong("root");
  }
  return texts;
}

/** Return whether the key signed the text; null if this browser cannot verify it. */
async function signed(text, lines, vkey) {
  const [name, id, ...material] = vkey.split("+");
  const own = lines.map((line) => line.split(" ")).find((words) => words[1] === name && hex(fromBase64(words[2]).slice(0, 4)) === id);
  if (!own) return false;
  try {
    const raw = fromBase64(material.join("+")).slice(1);
    const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", key, fromBase64(own[2]).slice(4), new TextEncoder().encode(text));
  } catch (error) {
    return error.name === "NotSupportedError" ? null : false;
  }
}

/**
 * Return the log: entries, leaf hashes, root, and whether its newest key signed the root (null if unverifiable here).
 */
export async function readLog() {
  const bytes = await bytesOf("/check/log/checkpoint");
  if (bytes.length > NOTE) throw new Wrong("signature");
  const note = new TextDecoder().decode(bytes);
  const end = note.lastIndexOf("\n\n") + 1;
  const text = note.slice(0, end);
  const [, size, root] = text.split("\n");
  const texts = await textsOf(size);
  const leaves = await Promise.all(texts.map((each) => digestOf("SHA-256", joined([0], each))));
  const computed = await rootOf(leaves);
  if (base64(computed) !== root) throw new Wrong("root");
  const entries = texts.map((each) => JSON.parse(new TextDecoder().decode(each)));
  const { key } = entries.findLast((entry) => entry.kind === "key") ?? { key: "" };
  const isSigned = await signed(text, note.slice(end + 1).trimEnd().split("\n"), key);
  if (isSigned === false) throw new Wrong("signature");
  return { entries, leaves, root: hex(computed), isSigned };
}
