// What most visits do not need comes in files of its own, fetched when somebody opens it, and none of them runs before
// it has passed the check of its fingerprint.
//
// A browser checks the files that the page names with their fingerprints, but not what is imported: a file that failed
// its check is fetched once more when something imports it, and runs unchecked. So a file is imported here only once it
// has passed. It is then in the page's module map, and the import finds exactly this. All that these files import is
// the file that runs here, which is in that map as well, held to its fingerprint by the script element that loaded it.
//
// The document names some files without a fingerprint, since only few visits need them. Of such an element a browser
// runs nothing; it gets its fingerprint here, from a file that the document names with one.

import { element } from "./dom.js";
import { LATER, speakMore } from "./words.js";

const USED = "[integrity]:not([lang][type=pinned])";
const fileName = (node) => (node.src || node.href).split("/").at(-1);
// What needs no words but those of the questions.
const WORDLESS = ["accent.js", "limits.js", "long.js", "markup.js", "translations.js"];
const arriving = new Map();

/** The module with this name, one of those that the page names; an error where it has no pin, or is not what that says. */
export function pinned(name) {
  if (!arriving.has(name)) {
    arriving.set(name, arrived(name));
    // Who asks again has it checked again.
    arriving.get(name).catch(() => arriving.delete(name));
  }
  return arriving.get(name);
}

async function arrived(name) {
  const named = document.querySelector(`[type=pinned][src$="/${name}"]`);
  if (!named.integrity) await pinRest();
  if (!named.integrity) throw new Error(name);
  // A script runs once, whatever came of it.
  const pin = named.cloneNode();
  pin.type = "module";
  try {
    await new Promise((resolve, reject) => {
      pin.addEventListener("load", resolve);
      pin.addEventListener("error", () => reject(new Error(name)));
      named.replaceWith(pin);
    });
  } catch (error) {
    pin.replaceWith(named);
    throw error;
  }
  return import(pin.src);
}

/** Give the files that the page names without a pin their own, from the file of pins, which it names with one. */
async function pinRest() {
  const { PINS } = await pinned("pins.js");
  for (const node of document.querySelectorAll("[type=pinned]:not([integrity])")) node.integrity = PINS[fileName(node)] ?? "";
}

/** The files of this page with the fingerprints the browser holds them to; of the words those that it has loaded. */
export function pinnedFiles() {
  return Array.from(document.querySelectorAll(USED), (node) => ({ name: fileName(node), integrity: node.integrity }));
}

/** The module with this name, and with it the words of what comes later, where it needs them. */
export async function withWords(name) {
  const [module, more] = await Promise.all([pinned(name), WORDLESS.includes(name) ? null : pinned(LATER.words)]);
  if (more) speakMore(more);
  return module;
}

/** A folded part with this title; what is in it, nodes, is what fill(module) makes each time it is opened. */
export function later(title, name, fill, look = "audit") {
  const summary = element("summary", {}, title);
  const node = element("details", { class: look }, summary);
  node.addEventListener("toggle", async () => {
    if (!node.open) return;
    const nodes = await withWords(name).then(fill).catch(() => [element("p", {}, LATER.lost)]);
    node.replaceChildren(summary, ...nodes);
  });
  return node;
}
