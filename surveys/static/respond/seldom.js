// The kinds of questions that few surveys have: each comes in a file of its own, which enters it in kinds.js and fields.js.

import { certify } from "./certificate.js";
import { loaded } from "./view.js";

/** What certify says, with the kinds that the definition's bytes name: of files only those that the document names. */
export async function withKinds(bytes) {
  for (const [, kind] of new TextDecoder().decode(bytes).matchAll(/"kind":"(\w+)/g)) {
    if (document.querySelector(`[type=pinned][src$="/${kind}.js"]`)) await loaded(`${kind}.js`);
  }
  return certify(bytes);
}
