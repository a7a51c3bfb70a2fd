// What some definitions name and only few surveys have, kinds of questions among it: each comes in a file of its own, which
// enters its rules.

import { certify } from "./certificate.js";
import { loaded } from "./view.js";

const RARE = /"(?:kind":"(\w+)|(translations|wave_of|limits)":)/g;

/** What certify says, with what the definition's bytes name: of files only those that the document names. */
export async function withKinds(bytes) {
  for (const [, kind, field = kind] of new TextDecoder().decode(bytes).matchAll(RARE)) {
    if (document.querySelector(`[type=pinned][src$="/${field}.js"]`)) await loaded(`${field}.js`);
  }
  return certify(bytes);
}
