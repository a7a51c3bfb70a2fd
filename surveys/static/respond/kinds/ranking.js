// Rankings of several items. Few surveys have them, so their rules and control are in this file.
//
// Each pair of items is a statement: the item listed earlier in the question comes first. A report covers the pairs of
// a few sampled items, whose order is randomized as one answer. Items always appear in some order, so an order is an
// answer only after the person has confirmed it. The first order is random, because a fixed one would influence
// everyone alike.

import { button, element } from "../dom.js";
import { FIELDS } from "../fields.js";
import { KINDS } from "../kinds.js";
import { MECHANISMS, randomizedTogether } from "../mechanisms.js";
import { differentTexts, must, whole } from "../rules.js";
import { sample } from "../uniform.js";
import { SELDOM } from "../words.js";

const [LEAST, MOST] = [3, 8];
// The numbers of items whose order a report can have.
const DRAWN = [2, 3];

/** Return say(one, other) for each pair of items, the one listed earlier first. */
function pairs(items, say) {
  return items.flatMap((one, i) => items.slice(i + 1).map((other) => say(one, other)));
}

/** Return all positions in random order; two equal 32-bit numbers are too rare to matter. */
function drawnOrder(count) {
  const numbers = crypto.getRandomValues(new Uint32Array(count));
  return [...numbers.keys()].sort((one, other) => numbers[one] - numbers[other]);
}

/** Return whether it is a list of all positions of the items. */
function isOrder({ ranked }, answer) {
  return Array.isArray(answer) && answer.length === ranked.length && ranked.every((_, item) => answer.includes(item));
}

/** Return all orders of a list, its own order first. */
function orders(list) {
  if (list.length === 0) return [[]];
  return list.flatMap((first) => orders(list.filter((each) => each !== first)).map((others) => [first].concat(others)));
}

/** Return all orders of so many items, each as the places of the items. */
function placesOf(count) {
  return orders([...Array(count).keys()]);
}

/** Return the table and the counts of the draw of one order. */
function ofOrders({ sample: count, keep }) {
  return [{ keep, sizes: [1] }, [placesOf(count).length]];
}

/** Return the randomized order of random items: for each pair of them [statement, 1 if it holds, else 0]. */
function draw(answer, table, d, uniform) {
  const count = (1 + Math.sqrt(1 + 8 * answer.length)) / 2;
  const statements = pairs([...Array(count).keys()], (one, other) => [one, other]);
  const items = sample(count, table.sample, uniform);
  const among = [...statements.keys()].filter((place) => statements[place].every((item) => items.includes(item)));
  const every = placesOf(table.sample).map((places) => pairs(places, (one, other) => Number(one < other)));
  const held = every.map(String).indexOf(String(among.map((place) => Number(answer[place]))));
  const [[order]] = randomizedTogether([held], ...ofOrders(table), uniform);
  return among.map((place, i) => [place, every[order][i]]);
}

MECHANISMS.ranking = {
  takes: "order",
  entries: {
    sample: { fits: (count) => whole(count, ...DRAWN), shows: "counts" },
    keep: MECHANISMS.multiple.entries.keep,
  },
  worst: (table) => MECHANISMS.randomized_response.worst(...ofOrders(table)),
  draw,
  speaks: MECHANISMS.multiple.speaks,
};

KINDS.ranking = {
  ...KINDS.multiple_choice,
  more: [],
  gives: ["order"],
  alone: undefined,
  own: ["options", "ranked"],
  texts: ["ranked"],
  ownOptions: ({ ranked }) => pairs(ranked, (one, other) => `${one} > ${other}`),
  rule({ ranked, options, prefer_not_to_say: refusable }) {
    must(ranked.length >= LEAST && !refusable);
    differentTexts(ranked, MOST);
    differentTexts(options, MOST * MOST);
    must(options.length === pairs(ranked, () => 1).length);
  },
  isAnswer: isOrder,
  apart: ({ ranked }) => [[...ranked.keys()], [...ranked.keys()].reverse()],
  encoded: ({ ranked }, answer) =>
    pairs([...ranked.keys()], (one, other) => answer.indexOf(one) < answer.indexOf(other)),
  filler: ({ ranked }) => [...ranked.keys()],
};

FIELDS.ranking = ({ ranked, table }, { id, labelledby, describedby }, onAnswer) => {
  const words = SELDOM.ranking;
  const [hint, drawn] = Object.entries({ hint: words.hint, drawn: words.drawn(table.sample, ranked.length) }).map(
    ([name, said]) => element("p", { id: `${id}-${name}`, class: "hint" }, said));
  const status = element("p", { class: "counts", role: "status", translate: "no" });
  const list = element("ol");
  Object.assign(list.style, { display: "grid", gap: "0.5rem", listStyle: "none", margin: "1rem 0", padding: "0" });
  let order;
  const rows = ranked.map((text, item) => row(text, (step) => move(item, step)));
  const confirm = button(words.confirm, { class: "toggle" }, () => settle(confirm.getAttribute("aria-pressed") !== "true"));
  const hints = `${hint.id} ${drawn.id} ${describedby}`;
  const control = element("div", { id, role: "group", "aria-labelledby": labelledby, "aria-describedby": hints }, list,
    confirm);

  function move(item, step) {
    const [from, to] = [order.indexOf(item), order.indexOf(item) + step];
    if (to < 0 || to === order.length) return;
    order.splice(from, 1);
    order.splice(to, 0, item);
    // A translator would fetch moved items, and the present order reveals the answer.
    list.setAttribute("translate", "no");
    arrange();
    rows[item].focus(step);
    if (settled()) settle(false);
    status.textContent = words.moved(ranked[item], to + 1, order.length);
  }
  /** Move only misplaced items, so that the focused one keeps the focus if possible. */
  function arrange() {
    order.forEach((item, place) => {
      const { node } = rows[item];
      if (list.children[place] !== node) list.insertBefore(node, list.children[place]);
      rows[item].place(place, order.length);
    });
  }
  function settled() {
    return confirm.getAttribute("aria-pressed") === "true";
  }
  function settle(pressed) {
    confirm.setAttribute("aria-pressed", String(pressed));
    status.textContent = pressed ? words.confirmed : "";
    onAnswer(pressed ? [...order] : undefined);
  }
  function clear() {
    order = drawnOrder(ranked.length);
    arrange();
    list.removeAttribute("translate");
    confirm.setAttribute("aria-pressed", "false");
    status.textContent = "";
  }
  clear();
  return { node: element("div", {}, hint, drawn, control, status), control, focus: () => confirm.focus(), clear };
};

/** Return an item, {node, place(place, count), focus(step)}: its place, its text, and two buttons that move it. */
function row(text, move) {
  const number = element("span", { "aria-hidden": "true" });
  const [up, down] = [[-1, "\u2191", "up"], [1, "\u2193", "down"]].map(([step, sign, name]) =>
    button(sign, { class: "button", "aria-label": SELDOM.ranking[name](text) }, () => move(step)));
  for (const each of [up, down]) Object.assign(each.style, { flex: "none", minWidth: "2.75rem", justifyContent: "center" });
  const label = element("span", {}, text);
  Object.assign(label.style, { flex: "1", minWidth: "0", overflowWrap: "anywhere" });
  const node = element("li", {}, number, label, up, down);
  Object.assign(node.style, { display: "flex", alignItems: "center", gap: "0.5rem" });

  function place(at, count) {
    number.textContent = `${at + 1}.`;
    up.setAttribute("aria-disabled", String(at === 0));
    down.setAttribute("aria-disabled", String(at === count - 1));
  }
  return { node, place, focus: (step) => (step < 0 ? up : down).focus() };
}
