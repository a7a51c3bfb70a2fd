// The list of what this browser has sent to this site, and the switch to keep no list.

import { decimalText } from "./certificate.js";
import { button, element, table } from "./dom.js";
import { locale } from "./language.js";
import { beyond, strength, STRENGTHS } from "./promise.js";
import { decimal } from "./rules.js";
import { beside, listed, UNLISTED } from "./store.js";
import { AUDIT, BUDGET, LATER } from "./words.js";

/** Return nodes that show what `store` remembers, with buttons to change that. */
export async function budget(store) {
  const place = element("div", { class: "budget" });
  const act = (label, keep) => button(label, { class: "button" }, async () => {
    await clear(store, keep);
    await show();
    place.querySelector("p").focus();
  });
  async function show() {
    const sent = await store.remembered(listed, () => []);
    const [words, ...buttons] = sent === null ? [BUDGET.off, act(BUDGET.keep, true)]
      : sent.length === 0 ? [BUDGET.none, act(BUDGET.shared, false)]
        : [BUDGET.adds, act(BUDGET.clear, true), act(BUDGET.shared, false)];
    place.replaceChildren(element("p", { tabindex: "-1" }, words), 
      ...(sent?.length > 0 ? [rowsOf(sent), together(sent)] : []), ...buttons);
  }
  await show();
  return [element("p", {}, BUDGET.kept), place];
}

/** Clear the list; `keep` decides whether a new one begins. */
function clear(store, keep) {
  return store.remembered((kept) => {
    kept.delete(beside());
    if (!keep) kept.put({ slug: UNLISTED });
  }, () => {});
}

/** Return the sum, as a paragraph. */
function together(sent) {
  const alpha = sum(sent.map((each) => each.alpha));
  const delta = sum(sent.map((each) => each.delta ?? "0"));
  const step = Math.max(beyond(alpha, STRENGTHS.survey), ...sent.map((each) => each.step));
  return element("p", { class: "together" },
    BUDGET.together(AUDIT.strength(alpha, delta === "0" ? null : delta)), strength(step));
}

function rowsOf(sent) {
  return table(LATER.budget, BUDGET.columns, sent.map(({ title, day, alpha, delta }) =>
    [title, [element("td", {}, dayOf(day)), element("td", {}, AUDIT.strength(alpha, delta))]]));
}

/** Return the exact sum of decimal strings: alphas add, and so do deltas. */
export function sum(numbers) {
  return decimalText(numbers.reduce((total, number) => total + decimal(number), 0n), 15);
}

function dayOf(text) {
  return new Date(text).toLocaleDateString(locale(), { dateStyle: "medium", timeZone: "UTC" });
}
