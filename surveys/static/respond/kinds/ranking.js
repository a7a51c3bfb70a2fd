// An order of several items: few surveys ask for one, so it comes in a file of its own. What decides what is sent, and
// how it is asked.
//
// Each two items are a statement, that the earlier one in the question stands first; a report is about those of the few
// items that it draws, whose order is randomized as one answer. The items are shown in some order from the beginning, so
// no order is an answer until the person has confirmed it. The first order is drawn by chance, since one and the same would
// lead everyone the same way.

import { button, element } from "../dom.js";
import { FIELDS } from "../fields.js";
import { KINDS } from "../kinds.js";
import { MECHANISMS, randomizedTogether } from "../mechanisms.js";
import { differentTexts, must, whole } from "../rules.js";
import { sample } from "../uniform.js";
import { SELDOM } from "../words.js";

const [LEAST, MOST] = [3, 8];
// Of so many items a report says the order.
const DRAWN = [2, 3];

/** Of each two items what say(one, other) gives, the earlier one first. */
function pairs(items, say) {
  return items.flatMap((one, i) => items.slice(i + 1).map((other) => say(one, other)));
}

/** All positions in an order by chance; two equal numbers of 32 bits are too rare to matter. */
function drawnOrder(count) {
  const numbers = crypto.getRandomValues(new Uint32Array(count));
  return [...numbers.keys()].sort((one, other) => numbers[one] - numbers[other]);
}

/** Whether it is a list of all positions of the items. */
function isOrder({ ranked }, answer) {
  return Array.isArray(answer) && answer.length === ranked.length && ranked.every((_, item) => answer.includes(item));
}

/** All orders of a list, the one that it has first. */
function orders(list) {
  if (list.length === 0) return [[]];
  return list.flatMap((first) => orders(list.filter((each) => each !== first)).map((others) => [first].concat(others)));
}

/** All orders of so many items, each by the places that these have. */
function placesOf(count) {
  return orders([...Array(count).keys()]);
}

/** The table and the counts of the draw of one of these. */
function ofOrders({ sample: count, keep }) {
  return [{ keep, sizes: [1] }, [placesOf(count).length]];
}

/** Some of the items at random, whose order is randomized: for each two of them [statement, 1 where it holds, else 0]. */
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
  gives: ["order"],
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
  filler(question) {
    must(isOrder(question, question.filler));
    return question.filler;
  },
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
  const told = `${hint.id} ${drawn.id} ${describedby}`;
  const control = element("div", { id, role: "group", "aria-labelledby": labelledby, "aria-describedby": told }, list,
    confirm);

  function move(item, step) {
    const [from, to] = [order.indexOf(item), order.indexOf(item) + step];
    if (to < 0 || to === order.length) return;
    order.splice(from, 1);
    order.splice(to, 0, item);
    // A translator would fetch what moves, and in which order it stands now tells of the answer.
    list.setAttribute("translate", "no");
    arrange();
    rows[item].focus(step);
    if (settled()) settle(false);
    status.textContent = words.moved(ranked[item], to + 1, order.length);
  }
  /** Only what does not stand in its place moves, so that what holds the focus keeps it where it can. */
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

/** One item: its place, its text, and two buttons that move it. {node, place(place, count), focus(step)}. */
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
