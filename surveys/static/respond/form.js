// The questions on the page. Answers live in one Map inside renderForm and nowhere else; Send hands it over once.

import { button, element } from "./dom.js";
import { field } from "./fields.js";
import { ownLine } from "./promise.js";
import { inSections } from "./sections.js";
import { FORM, KINDS } from "./words.js";

/**
 * Show the questions of the definition in `container`.
 * onSend(answers) is called at most once, with a Map of question key -> answer that holds every question. onMove(first)
 * says whether the first section is shown. Returns {clear, holds, place, show}: forget every answer and every trace of one in the
 * controls; whether there is one; which section is shown, and another one.
 */
export function renderForm(definition, container, { onSend, onMove = () => {} }) {
  const total = definition.questions.length;
  const answers = new Map();
  const progress = progressBar(total);
  const cards = definition.questions.map((question, index) => ({
    ...questionCard(question, index, total, ownLine(definition, question), (answer) => record(question.key, answer)),
    isOpen: () => !answers.has(question.key),
  }));
  const checked = new Set(); // the cards that somebody wanted to leave behind
  const summary = element("div", { class: "summary" });
  const alarm = element("p", { class: "visually-hidden", role: "alert" });
  const send = button(FORM.send, { class: "button primary" }, finish);
  const hint = element("p", { class: "hint" }, FORM.sending);
  const sections = inSections(definition, cards, { mayLeave: complete, onShow });
  let sent = false;

  function onShow({ first, last, text }) {
    send.hidden = hint.hidden = !last;
    progress.place(text);
    onMove(first);
  }
  function record(key, answer) {
    if (answer === undefined) answers.delete(key);
    else answers.set(key, answer);
    progress.show(answers.size);
    remind();
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
    alarm.textContent = "";
    summary.replaceChildren();
    progress.show(0);
    cards.forEach((card) => card.clear());
    sections.start();
  }
  container.append(progress.node, sections.node,
    element("div", { class: "finish" }, summary, alarm, sections.buttons, send, hint));
  sections.start();
  return { clear, holds: () => answers.size > 0, place: sections.place, show: sections.show };
}

function progressBar(total) {
  const section = element("span", { class: "place" });
  const text = element("span", { id: "progress-text" });
  const bar = element("progress", { max: String(total), value: "0", "aria-labelledby": "progress-text" });
  const show = (answered) => {
    text.textContent = FORM.progress(answered, total);
    bar.value = answered;
  };
  const place = (words) => { section.textContent = words; };
  show(0);
  return { node: element("div", { class: "progress" }, section, text, bar), show, place };
}

/** One question, with a line of its own where it has one: {key, title, node, focus, clear, complain(boolean)}. */
function questionCard(question, index, total, own, onAnswer) {
  const id = `question-${index + 1}`;
  const title = element("h3", { id: `${id}-title` }, question.text);
  const note = question.note ? element("p", { id: `${id}-note`, class: "note" }, question.note) : null;
  const error = element("p", { id: `${id}-error`, class: "error" });
  const describedby = [note?.id, error.id].filter(Boolean).join(" ");
  const answer = field(question, { id, labelledby: title.id, describedby }, onAnswer);

  function complain(isMissing) {
    error.textContent = isMissing ? KINDS[question.kind].missing : "";
    if (isMissing) answer.control.setAttribute("aria-invalid", "true");
    else answer.control.removeAttribute("aria-invalid");
  }
  function clear() {
    complain(false);
    answer.clear();
  }
  const node = element("div", { class: "question" },
    element("p", { class: "eyebrow" }, FORM.place(index + 1, total)), title, note, error, answer.node, own);
  const { key, text } = question;
  return { key, title: FORM.numbered(index + 1, text), node, focus: answer.focus, clear, complain };
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
      element("li", {}, button(card.title, { class: "link" }, () => seek(card))))),
  ];
}
