// The questions on the page. Answers live in one Map inside renderForm and nowhere else; Send hands it over once.
//
// Browsers offer to translate a page, and send its texts away for it. So translate="no" stands on every text that
// depends on what was answered, and on every question that is only asked for some answers; all others may be translated.

import { button, element, shaped } from "./dom.js";
import { field } from "./fields.js";
import { ownLine } from "./promise.js";
import { always, askedOf } from "./routing.js";
import { ASKED, FORM, SELDOM } from "./words.js";

export const AHEAD = "ahead";
// How the cards stand on the page: all of them, where long.js does not show one section after the other.
let placed = allAtOnce;

/** From now on they stand as another function says, with the same parameters and members. */
export function placeBy(other) {
  placed = other;
}

function allAtOnce(definition, cards, { onShow }) {
  const start = () => onShow({ first: true, last: true, text: "" });
  const node = element("div", {}, ...cards.map((card) => card.node));
  return { node, start, ...Object.fromEntries(["back", "reveal", "renew", "show", "place"].map((name) => [name, () => {}])) };
}

/**
 * Show the questions of the definition in `container`.
 * onSend(answers) is called at most once, with a Map of question key -> answer that holds every question that is asked:
 * no other is shown, and what was answered before it was hidden is forgotten at once. onHold() is called where there may be
 * an answer now, or none any more; onMove(first) says whether the first section is shown; `choices` stand below Send.
 * Returns {clear, holds, place, progress, show, back}: forget every answer and every trace of one in the controls; whether
 * there is one; which section is shown; a node that says how many are answered; show another section, and the one before,
 * if there is.
 */
export function renderForm(definition, container, { onSend, onHold = () => {}, onMove = () => {}, choices = [] }) {
  const { questions } = definition;
  const answers = new Map();
  const progress = progressBar();
  const cards = questions.map((question, index) => {
    const card = questionCard(question, index, ownLine(definition, question), (answer) => record(question.key, answer));
    return { ...card, isAsked: () => !card.node.hidden, isOpen: () => !card.node.hidden && !answers.has(question.key) };
  });
  // The cards that somebody wanted to leave behind.
  const checked = new Set();
  const summary = element("div", { class: "summary", translate: "no" });
  const alarm = element("p", { class: "visually-hidden", role: "alert", translate: "no" });
  const told = element("p", { class: "visually-hidden", role: "status", translate: "no" });
  const send = button(FORM.send, { class: "button primary" }, finish);
  const below = element("div", {}, element("p", { class: "hint" }, FORM.sending), ...choices);
  const sections = placed(definition, cards, { mayLeave: complete, onShow });
  let sent = false;

  function onShow({ first, last, text }) {
    send.hidden = below.hidden = !last;
    progress.place(text);
    onMove(first);
  }
  function record(key, answer) {
    if (answer === undefined) answers.delete(key);
    else answers.set(key, answer);
    if (route()) {
      told.textContent = FORM.count(cards.filter((card) => card.isAsked()).length);
      sections.renew();
    }
    remind();
  }
  /** Show what is asked now, and forget the answers to all else; whether that is another list than before. */
  function route() {
    const asked = askedOf(questions, answers);
    const changed = cards.filter((card) => card.isAsked() !== asked.has(card.key));
    changed.forEach((card) => {
      card.clear();
      checked.delete(card);
      answers.delete(card.key);
      card.node.hidden = !asked.has(card.key);
    });
    cards.filter((card) => card.isAsked()).forEach((card, place) => card.number(place + 1, asked.size));
    progress.show(answers.size, asked.size);
    onHold();
    return changed.length > 0;
  }
  function remind() {
    checked.forEach((card) => card.complain(card.isOpen()));
    summary.replaceChildren(...reminder([...checked].filter((card) => card.isOpen()), seek));
  }
  function seek(card) {
    sections.reveal(card);
    card.focus();
  }
  /** Whether all of these are answered; where not, says so and leads to the first that is not. */
  function complete(some) {
    some.forEach((card) => checked.add(card));
    remind();
    const missing = some.filter((card) => card.isOpen());
    alarm.textContent = missing.length > 0 ? FORM.missing(missing.length) : "";
    if (missing.length > 0) seek(missing[0]);
    return missing.length === 0;
  }
  function finish() {
    if (sent || !complete(cards)) return;
    sent = true;
    onSend(answers);
  }
  function clear() {
    answers.clear();
    checked.clear();
    alarm.textContent = told.textContent = "";
    summary.replaceChildren();
    cards.forEach((card) => card.clear());
    route();
    sections.start();
  }
  container.append(sections.node,
    element("div", { class: "finish" }, summary, alarm, told, sections.buttons ?? "", send, below));
  route();
  sections.start();
  // In a frame Back is of the page around it, which could press it and count.
  if (sections.several && self === top) for (const each of ["click", "keydown"]) container.addEventListener(each, remember);
  return { clear, holds: () => answers.size > 0, place: sections.place, progress: progress.node, show: sections.show,
    back: sections.back };
}

/** The entry of the history that the browser's Back takes away; a browser honours none that comes before any action. */
function remember() {
  if (history.state !== AHEAD) history.pushState(AHEAD, "");
}

function progressBar() {
  const section = element("span", { class: "place" });
  const text = element("span", { id: "progress-text" });
  const bar = element("progress", { "aria-labelledby": "progress-text" });
  const show = (answered, total) => {
    text.textContent = FORM.progress(answered, total);
    bar.max = total;
    bar.value = answered;
  };
  const place = (words) => { section.textContent = words; };
  return { node: element("div", { class: "progress", translate: "no" }, section, text, bar), show, place };
}

/**
 * One question, with a line of its own where it has one: {key, title(), node, focus, clear, complain(boolean),
 * number(place, total)}.
 */
function questionCard(question, index, own, onAnswer) {
  const id = `question-${index + 1}`;
  const eyebrow = element("p", { class: "eyebrow", translate: "no" });
  let ordinal = 0;
  const title = element("h3", { id: `${id}-title` }, question.text);
  const note = question.note ? shaped(element("p", { id: `${id}-note`, class: "note" }, question.note)) : null;
  const error = element("p", { id: `${id}-error`, class: "error" });
  own?.setAttribute("id", `${id}-protection`);
  const describedby = [note?.id, own?.id, error.id].filter(Boolean).join(" ");
  const answer = field(question, { id, labelledby: title.id, describedby }, onAnswer);

  function complain(isMissing) {
    const asked = { ...ASKED, ...SELDOM }[question.steps ? "choice" : question.kind] ?? ASKED.choice;
    error.textContent = isMissing ? asked.missing : "";
    if (isMissing) answer.control.setAttribute("aria-invalid", "true");
    else answer.control.removeAttribute("aria-invalid");
  }
  function clear() {
    complain(false);
    answer.clear();
  }
  function number(place, total) {
    ordinal = place;
    eyebrow.textContent = FORM.place(place, total);
  }
  const parts = [eyebrow, title, note, own, error, answer.node];
  const node = element("div", { class: "question", translate: always(question) ? null : "no" }, ...parts);
  const { key, text } = question;
  const name = () => FORM.numbered(ordinal, text);
  return { key, title: name, node, focus: answer.focus, clear, complain, number };
}

/**
 * What to say about unanswered questions. Buttons, not links: a link would write the question into the address
 * and the history, where it would still tell after sending which answer had been missing.
 */
function reminder(cards, seek) {
  if (cards.length === 0) return [];
  return [
    element("p", {}, element("strong", {}, FORM.missing(cards.length)), FORM.whole),
    element("ul", {}, ...cards.map((card) =>
      element("li", {}, button(card.title(), { class: "link" }, () => seek(card))))),
  ];
}
