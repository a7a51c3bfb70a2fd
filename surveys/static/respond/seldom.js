// The kinds of questions that few surveys have: each comes in a file of its own, which enters it in kinds.js and fields.js.

import { certify } from "./certificate.js";
import { loaded } from "./view.js";

const SELDOM_ASKED = ["date"];

/** What certify says, with the kinds that the definition's bytes name. */
export async function withKinds(bytes) {
  const text = new TextDecoder().decode(bytes);
  for (const kind of SELDOM_ASKED) if (text.includes(`"kind":"${kind}"`)) await loaded(`${kind}.js`);
  return certify(bytes);
}
