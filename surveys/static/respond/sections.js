// Which questions are on the page: those of one section after the other, or all at once, as the person chooses. Which
// section that is stands nowhere but here: moving asks the server for nothing and leaves nothing in the history.

import { button, element } from "./dom.js";
import { SECTIONS } from "./words.js";

/**
 * The cards of all questions, {key, node, isOpen()} each, in their sections. mayLeave(cards) is asked before Next:
 * whether these are answered. onShow({first, last, text}) is called whenever others are shown; `text` says
 * which, "" where all are. Returns {node, buttons, reveal(card), start(), place(), show(place)}: `buttons` are Back and Next,
 * start shows what is shown first, and place is what is shown, null for all.
 */
export function inSections({ sections = [] }, cards, { mayLeave, onShow }) {
  const parts = sections.map((section, i) =>
    part(section, cards.filter(({ key }) => section.questions.includes(key)), i));
  const last = parts.length - 1;
  const toggle = button("", { class: "link" }, () =>
    show(at === null ? partOf(cards.find((card) => card.isOpen())) : null));
  const back = button(SECTIONS.back, { class: "button" }, () => move(at - 1));
  const next = button(SECTIONS.next, { class: "button primary" }, () => {
    if (mayLeave(parts[at].cards)) move(at + 1);
  });
  let at = null; // the place of the one that is shown; null for all

  function show(place) {
    at = place;
    parts.forEach(({ node }, i) => { node.hidden = at !== null && i !== at; });
    toggle.textContent = at === null ? SECTIONS.one : SECTIONS.all;
    back.hidden = at === null || at === 0;
    next.hidden = at === null || at === last;
    onShow({ first: !at, last: next.hidden, text: at === null ? "" : SECTIONS.place(at + 1, parts.length) });
  }
  function move(place) {
    show(place);
    parts[at].heading.focus({ preventScroll: true });
    parts[at].heading.scrollIntoView();
  }
  function partOf(card) {
    return card ? parts.findIndex((each) => each.cards.includes(card)) : last;
  }
  function reveal(card) {
    if (at !== null && partOf(card) !== at) show(partOf(card));
  }
  const start = () => show(last > 0 ? 0 : null);
  const nodes = parts.length > 0 ? parts.map(({ node }) => node) : cards.map(({ node }) => node);
  return {
    node: element("div", {}, last > 0 ? toggle : null, ...nodes),
    buttons: last > 0 ? element("div", { class: "moves" }, back, next) : "",
    reveal,
    start,
    show,
    place: () => at,
  };
}

function part({ title, text }, cards, index) {
  const id = `section-${index + 1}`;
  const heading = element("h2", { id, tabindex: "-1" }, title);
  const node = element("section", { class: "part", "aria-labelledby": id }, heading,
    text ? element("p", { class: "introduction" }, text) : null, ...cards.map((card) => card.node));
  return { node, heading, cards };
}
