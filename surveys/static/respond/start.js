// The gate: no module runs before every one of them has passed the check of its fingerprint.
//
// A browser checks the files that the page names with their fingerprints, but not what a module imports: a file that
// failed its check is fetched once more when something imports it, and runs unchecked. So nothing is imported here
// until all pinned files have passed. They are then in the page's module map, and imports find exactly these. The pins
// stand in the order of imports, so that no file is fetched for another one's sake before its own check has begun.
// The words of a language, a file of words/ that imports nothing, pass the same check when they are needed.
// This file is held to its fingerprint by the script element that loads it.

const tables = {};

function checked(pin) {
  return new Promise((resolve, reject) => {
    pin.addEventListener("load", resolve);
    pin.addEventListener("error", () => reject(new Error(`${pin.href} is missing or not the file it should be`)));
    pin.rel = "modulepreload";
  });
}

/** The module with the words of a language; an error where its file does not come or is not the one it should be. */
function words(language) {
  tables[language] ??= table(language).catch((error) => {
    delete tables[language];
    throw error;
  });
  return tables[language];
}

async function table(language) {
  const named = document.querySelector(`link[rel=words][hreflang=${language}]`);
  const pin = named.cloneNode();
  named.after(pin);
  await checked(pin).catch((error) => {
    pin.remove();
    throw error;
  });
  return import(`./words/${language}.js`);
}

await Promise.all(Array.from(document.querySelectorAll("link[rel=pinned]"), checked));
const { begin } = await import("./respond.js");
begin(words);
