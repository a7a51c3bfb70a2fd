// What longer surveys need: what has to be agreed to first, one section after the other, and a box to search a long list.
//
// Which questions are on the page: those of one section after the other, or all at once, as the person chooses; a section
// of which nothing is asked is passed over. Which section it is stands nowhere but here: moving asks the server for
// nothing. The history gets one entry for all sections together, with the first thing that somebody does among them: so
// the browser's own Back leads to the section before, and how many there were stands nowhere.

import { CHOSEN, LONG_LIST, plain, searchBy } from "./choice.js";
import { button, element, panel } from "./dom.js";
import { placeBy } from "./form.js";
import { quoted } from "./promise.js";
import { CHOOSING, CONSENT, SECTIONS } from "./words.js";

/**
 * The cards of all questions, {key, node, isAsked(), isOpen()} each, in their sections. mayLeave(cards) is asked before
 * Next: whether these are answered. onShow({first, last, text}) is called whenever others are shown; `text` says
 * which, "" where all are. Returns {node, buttons, several, reveal(card), renew(), start(), place(), show(place), back()}:
 * `buttons` are Back and Next, renew is called when others are asked than before, start shows what is shown first, place is
 * what is shown, null for all, and back says whether there was a section before, which it shows.
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
  /** The places of the sections that are not passed over; the first always is one. */
  const places = () => [...parts.keys()].filter((i) => parts[i].cards.some((card) => card.isAsked()));
  // The place of the one that is shown; null for all.
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

/** From now on questions stand in their sections, if they have any, and a box above long lists. */
export function begin({ sections }) {
  if (sections) placeBy(sectioned);
  searchBy(searchable);
}

/** What has to be agreed to before the questions; `onAgree` is called once it is. Whether it was is never sent. */
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

/** The field of a list, where it is long with a box that leaves what holds the text typed there, and what is chosen. That text
 * tells of the answer, so it goes where the answer goes. */
function searchable({ labelledby, describedby }, list, buttons, { focus, clear, settle }) {
  if (buttons.length < LONG_LIST) return { node: list, focus, clear };
  const input = element("input", {
    class: "entry", type: "search", autocomplete: "off", spellcheck: "false",
    // Without it, WebKit's name for the box ends with that of the button in it that empties it.
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
    // What the search leaves tells of the answer, and a translator would fetch what comes into sight.
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
