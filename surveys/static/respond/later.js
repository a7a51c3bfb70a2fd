// Files that most visits do not need, fetched when a person opens their part. None runs before its fingerprint is
// checked.
//
// A browser checks files that the page names with fingerprints, but not imports: an import would fetch a file again
// that failed its check, and run it unchecked. So this module imports a file only after it has passed. The import then
// finds that file in the page's module map. These files import only page.js, which is in the map, too, checked by its
// script element.
//
// The document names rarely needed files without a fingerprint, so browsers do not run them. They get their
// fingerprints here, from a file that the document names with one.

import { element } from "./dom.js";
import { LATER, speakMore } from "./words.js";

const USED = "[integrity]:not([lang][type=pinned])";
const fileName = (node) => (node.src || node.href).split("/").at(-1);
// Files that need no words for later.
const WORDLESS = ["accent.js", "limits.js", "long.js", "markup.js", "translations.js"];
const arriving = new Map();

/** Return the module with this name, which the page names. Fails if it has no pin or does not match it. */
export function pinned(name) {
  if (!arriving.has(name)) {
    arriving.set(name, arrived(name));
    // The next request checks it again.
    arriving.get(name).catch(() => arriving.delete(name));
  }
  return arriving.get(name);
}

async function arrived(name) {
  const named = document.querySelector(`[type=pinned][src$="/${name}"]`);
  if (!named.integrity) await pinRest();
  if (!named.integrity) throw new Error(name);
  // A script element runs only once, even if it failed.
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

/** Give pins to the files that the page names without one, from the pinned file of pins. */
async function pinRest() {
  const { PINS } = await pinned("pins.js");
  for (const node of document.querySelectorAll("[type=pinned]:not([integrity])")) node.integrity = PINS[fileName(node)] ?? "";
}

/** Return the page's files with the checked fingerprints; of the words only the loaded ones. */
export function pinnedFiles() {
  return Array.from(document.querySelectorAll(USED), (node) => ({ name: fileName(node), integrity: node.integrity }));
}

/** Return the module with this name, and load the words for later if it needs them. */
export async function withWords(name) {
  const [module, more] = await Promise.all([pinned(name), WORDLESS.includes(name) ? null : pinned(LATER.words)]);
  if (more) speakMore(more);
  return module;
}

/** Return a folded part with this title; each time it is opened, fill(module) makes its nodes. */
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
