// The gate: no module runs before every one of them has passed the check of its fingerprint.
//
// A browser checks the files that the page names with their fingerprints, but not what a module imports: a file that
// failed its check is fetched once more when something imports it, and runs unchecked. So nothing is imported here
// until all pinned files have passed. They are then in the page's module map, and imports find exactly these. The pins
// stand in the order of imports, so that no file is fetched for another one's sake before its own check has begun.
// This file is held to its fingerprint by the script element that loads it.

function checked(pin) {
  return new Promise((resolve, reject) => {
    pin.addEventListener("load", resolve);
    pin.addEventListener("error", () => reject(new Error(`${pin.href} is missing or not the file it should be`)));
    pin.rel = "modulepreload";
  });
}

await Promise.all(Array.from(document.querySelectorAll("link[rel=pinned]"), checked));
await import("./respond.js");
