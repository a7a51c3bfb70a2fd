// Rare features of definitions, such as rare kinds of questions. Each has a file, which adds its rules.

import { certify } from "./certificate.js";
import { loaded } from "./view.js";

const RARE = /"(?:kind":"(\w+)|(translations|wave_of|limits)":)/g;

/** Return certify's result after loading the files that the definition's bytes name, if the document names them too. */
export async function withKinds(bytes) {
  for (const [, kind, field = kind] of new TextDecoder().decode(bytes).matchAll(RARE)) {
    if (document.querySelector(`[type=pinned][src$="/${field}.js"]`)) await loaded(`${field}.js`);
  }
  return certify(bytes);
}
