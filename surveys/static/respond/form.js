// The questions on the page. Answers live in one Map inside renderForm and nowhere else; Send hands it over once.

import { button, element } from "./dom.js";
import { field } from "./fields.js";
import { oddsFactor } from "./certificate.js";
import { within } from "./promise.js";
import { FORM, KINDS } from "./words.js";

/**
 * Show every question of the definition in `container`.
 * onSend(answers) is called at most once, with a Map of question key -> answer that holds every question.
 * Returns {clear}: forget every answer and every trace of one in the controls.
 */
export function renderForm(definition, container, { onSend }) {
  const total = definition.questions.length;
  const answers = new Map();
  const progress = progressBar(total);
  const cards = definition.questions.map((question, index) =>
    questionCard(question, index, total, (answer) => record(question.key, answer)));
  const summary = element("div", { class: "summary" });
  const alarm = element("p", { class: "visually-hidden", role: "alert" });
  const send = button(FORM.send, { class: "button primary" }, finish);
  let reminded = false;
  let sent = false;

  function record(key, answer) {
    if (answer === undefined) answers.delete(key);
    else answers.set(key, answer);
    progress.show(answers.size);
    if (reminded) remind();
  }
  function missing() {
    return cards.filter((card) => !answers.has(card.key));
  }
  function remind() {
    reminded = true;
    cards.forEach((card) => card.complain(!answers.has(card.key)));
    summary.replaceChildren(...reminder(missing()));
  }
  function finish() {
    if (sent) return;
    if (missing().length > 0) {
      remind();
      alarm.textContent = FORM.missing(missing().length);
      missing()[0].focus();
      return;
    }
    sent = true;
    onSend(answers);
  }
  function clear() {
    answers.clear();
    reminded = false;
    alarm.textContent = "";
    summary.replaceChildren();
    progress.show(0);
    cards.forEach((card) => card.clear());
  }
  container.append(progress.node, ...cards.map((card) => card.node), element("div", { class: "finish" },
    summary, alarm, send, element("p", { class: "hint" }, FORM.sending)));
  return { clear };
}

function progressBar(total) {
  const text = element("span", { id: "progress-text" });
  const bar = element("progress", { max: String(total), value: "0", "aria-labelledby": "progress-text" });
  const show = (answered) => {
    text.textContent = FORM.progress(answered, total);
    bar.value = answered;
  };
  show(0);
  return { node: element("div", { class: "progress" }, text, bar), show };
}

/** One question: {key, title, node, focus, clear, complain(boolean)}. */
function questionCard(question, index, total, onAnswer) {
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
    element("p", { class: "eyebrow" }, FORM.place(index + 1, total)), title, note, error, answer.node,
    element("p", { class: "protection" }, FORM.protection(within(oddsFactor(question)))));
  const { key, text } = question;
  return { key, title: FORM.numbered(index + 1, text), node, focus: answer.focus, clear, complain };
}

/**
 * What to say about unanswered questions. Buttons, not links: a link would write the question into the address
 * and the history, where it would still tell after sending which answer had been missing.
 */
function reminder(cards) {
  if (cards.length === 0) return [];
  return [
    element("p", {}, element("strong", {}, FORM.missing(cards.length)), FORM.whole),
    element("ul", {}, ...cards.map((card) =>
      element("li", {}, button(card.title, { class: "link" }, card.focus)))),
  ];
}
