// For longer surveys: consent, sections, and a search box for long lists.
//
// The page shows sections one by one, or all at once, as the person chooses, and skips a section without asked
// questions. Only this module knows the current section: moving makes no request. All sections share one history entry,
// made with the first action. So the browser's Back button leads to the section before, and the history does not reveal
// how many there were.

import { CHOSEN, LONG_LIST, plain, searchBy } from "./choice.js";
import { button, element, panel } from "./dom.js";
import { placeBy } from "./form.js";
import { quoted } from "./promise.js";
import { CHOOSING, CONSENT, SECTIONS } from "./words.js";

/**
 * Put the cards of all questions, {key, node, isAsked(), isOpen()}, into their sections. Next calls mayLeave(cards),
 * which returns whether these are answered. onShow({first, last, text}) is called when the visible section changes;
 * `text` names it, "" for all. Return {node, buttons, several, reveal(card), renew(), start(), place(), show(place),
 * back()}: `buttons` are Back and Next; call renew when the asked questions change; start shows the first section;
 * place() is the visible section, null for all; back() shows the section before and returns whether there was one.
 */
function sectioned({ sections }, cards, { mayLeave, onShow }) {
  const parts = sections.map((section, i) =>
    part(section, cards.filter(({ key }) => section.questions.includes(key)), i));
  const several = parts.length > 1;
  const toggle = button("", { class: "link" }, () =>
    show(at === null ? partOf(cards.find((card) => card.isOpen())) : null));
  const back = button(SECTIONS.back, { class: "button" }, () => move(-1));
  const next = button(SECTIONS.next, { class: "button primary" }, () => {
    if (mayLeave(parts[at].cards)) move(1);
  });
  /** Return the places of the shown sections; the first is always one. */
  const places = () => [...parts.keys()].filter((i) => parts[i].cards.some((card) => card.isAsked()));
  // The place of the visible section; null for all.
  let at = null;

  function show(place) {
    at = place;
    const open = places();
    parts.forEach(({ node }, i) => { node.hidden = at === null ? !open.includes(i) : i !== at; });
    toggle.textContent = at === null ? SECTIONS.one : SECTIONS.all;
    back.hidden = at === null || at === 0;
    next.hidden = at === null || at === open.at(-1);
    const text = at === null ? "" : SECTIONS.place(open.indexOf(at) + 1, open.length);
    onShow({ first: !at, last: next.hidden, text });
  }
  function move(by) {
    const open = places();
    show(open[open.indexOf(at) + by]);
    parts[at].heading.focus({ preventScroll: true });
    parts[at].heading.scrollIntoView();
  }
  function partOf(card) {
    return card ? parts.findIndex((each) => each.cards.includes(card)) : places().at(-1);
  }
  function reveal(card) {
    if (at !== null && partOf(card) !== at) show(partOf(card));
  }
  function goBack() {
    const possible = Boolean(at);
    if (possible) move(-1);
    return possible;
  }
  const start = () => show(several ? 0 : null);
  return {
    node: element("div", {}, several ? toggle : null, ...parts.map(({ node }) => node)),
    buttons: several ? element("div", { class: "moves" }, back, next) : "",
    several,
    back: goBack,
    reveal,
    renew: () => show(at),
    start,
    show,
    place: () => at,
  };
}

function part({ title, text }, cards, index) {
  const id = `section-${index + 1}`;
  const heading = element("h2", { id, tabindex: "-1" }, title);
  const mayStayHidden = cards.every((card) => !card.node.translate);
  const node = element("section", { class: "part", "aria-labelledby": id, translate: mayStayHidden && "no" }, heading,
    quoted(text), ...cards.map((card) => card.node));
  return { node, heading, cards };
}

/** From now on questions are in their sections, if there are any, and long lists have a search box. */
export function begin({ sections }) {
  if (sections) placeBy(sectioned);
  searchBy(searchable);
}

/** Return the view of the consent; it calls `onAgree` after the person agrees. The agreement is never sent. */
export function consent(words, onAgree) {
  const error = element("p", { id: "consent-error", class: "error", role: "alert" });
  const box = element("input", { type: "checkbox", id: "agreed", autocomplete: "off", "aria-describedby": error.id });
  const go = button(CONSENT.go, { class: "button primary" }, () => {
    if (box.checked) {
      onAgree();
      return;
    }
    error.textContent = CONSENT.missing;
    box.setAttribute("aria-invalid", "true");
    box.focus();
  });
  const view = panel("consent", CONSENT.title, quoted(words),
    element("label", { class: "agree" }, box, CONSENT.agree), error, go);
  return { ...view, bar: [] };
}

/**
 * Return the field of a list. A long one has a search box, which hides options without the typed text, except the
 * chosen one. That text reveals the answer, so it is cleared with it.
 */
function searchable({ labelledby, describedby }, list, buttons, { focus, clear, settle }) {
  if (buttons.length < LONG_LIST) return { node: list, focus, clear };
  const input = element("input", {
    class: "entry", type: "search", autocomplete: "off", spellcheck: "false",
    // Without it, WebKit adds the name of the box's clear button to its name.
    "aria-label": CHOOSING.find,
    "aria-describedby": `${labelledby} ${describedby}`,
  });
  const status = element("p", { class: "hint", role: "status", translate: "no" });
  list.classList.add("long");

  function find() {
    const wanted = plain(input.value);
    const found = buttons.filter((each) => plain(each.textContent).includes(wanted));
    buttons.forEach((each) => {
      each.hidden = !found.includes(each) && !each.matches(`.withheld, ${CHOSEN}`);
    });
    // The results reveal the answer, and a translator would fetch what becomes visible.
    if (wanted) list.setAttribute("translate", "no");
    // No trace of a search.
    else list.removeAttribute("translate");
    status.textContent = wanted && CHOOSING.found(found.length, buttons.length);
    settle();
  }
  input.addEventListener("input", find);
  return {
    node: element("div", { class: "search" }, element("label", {}, CHOOSING.find, input), status, list),
    focus: () => input.focus(),
    clear() {
      input.value = "";
      list.scrollTop = 0;
      find();
      clear();
    },
  };
}
