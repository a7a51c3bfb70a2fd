// The questions on the page. Answers are in one Map inside renderForm and nowhere else; Send hands it over once.
//
// Browsers offer to translate a page, and then send its texts away. So texts that depend on answers, and questions that
// are asked only for some answers, have translate="no"; other texts may be translated.

import { button, element, shaped } from "./dom.js";
import { field } from "./fields.js";
import { ownLine } from "./promise.js";
import { always, askedOf } from "./routing.js";
import { ASKED, FORM, SELDOM } from "./words.js";

export const AHEAD = "ahead";
// Places the cards: all at once, unless long.js shows sections one by one.
let placed = allAtOnce;

/** Place the cards with another function from now on. */
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
 * onSend(answers) is called at most once, with a Map of question key -> answer for every asked question. No other
 * question is visible, and a hidden question's answer is forgotten at once. onHold() is called when there may be an
 * answer now, or none; onMove(first) says whether the first section is visible; `choices` are shown below Send. Return
 * {clear, holds, place, progress, show, back}: forget all answers and their traces; whether there is an answer; the
 * visible section; a node with the number of answered questions; show a section; show the previous one.
 */
export function renderForm(definition, container, { onSend, onHold = () => {}, onMove = () => {}, choices = [] }) {
  const { questions } = definition;
  const answers = new Map();
  const progress = progressBar();
  const cards = questions.map((question, index) => {
    const card = questionCard(question, index, ownLine(definition, question), (answer) => record(question.key, answer));
    return { ...card, isAsked: () => !card.node.hidden, isOpen: () => !card.node.hidden && !answers.has(question.key) };
  });
  // Cards that the person has tried to leave.
  const checked = new Set();
  const summary = element("div", { class: "summary", translate: "no" });
  const alarm = element("p", { class: "visually-hidden", role: "alert", translate: "no" });
  const news = element("p", { class: "visually-hidden", role: "status", translate: "no" });
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
      news.textContent = FORM.count(cards.filter((card) => card.isAsked()).length);
      sections.renew();
    }
    remind();
  }
  /** Show the asked questions, and forget all other answers; return whether the list has changed. */
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
  /** Return whether all of these are answered; if not, say so and lead to the first open one. */
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
    alarm.textContent = news.textContent = "";
    summary.replaceChildren();
    cards.forEach((card) => card.clear());
    route();
    sections.start();
  }
  container.append(sections.node,
    element("div", { class: "finish" }, summary, alarm, news, sections.buttons ?? "", send, below));
  route();
  sections.start();
  // In a frame Back belongs to the outer page, which could press it and count entries.
  if (sections.several && self === top) for (const each of ["click", "keydown"]) container.addEventListener(each, remember);
  return { clear, holds: () => answers.size > 0, place: sections.place, progress: progress.node, show: sections.show,
    back: sections.back };
}

/** Add the history entry for the browser's Back button; browsers ignore one that comes before any action. */
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
 * Return the card of a question, with its own line if it has one: {key, title(), node, focus, clear, complain(boolean),
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
 * Return the reminder of unanswered questions. It has buttons, because a link would put the question into the URL and
 * the history, and so reveal which answer had been missing.
 */
function reminder(cards, seek) {
  if (cards.length === 0) return [];
  return [
    element("p", {}, element("strong", {}, FORM.missing(cards.length)), FORM.whole),
    element("ul", {}, ...cards.map((card) =>
      element("li", {}, button(card.title(), { class: "link" }, () => seek(card))))),
  ];
}
