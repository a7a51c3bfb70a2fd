// A typed number: its reading as an answer, and its control, a field as in fields.js.

import { described } from "./choice.js";
import { button, element } from "./dom.js";
import { KINDS } from "./kinds.js";
import { BLANK, decimal } from "./rules.js";
import { readings, unmistakable } from "./typed.js";
import { amount, ASKED, NUMBERS, shown } from "./words.js";

/**
 * Read a typed number. Return {} for an empty text, {problem: sentence} for no number or two possible ones, else
 * {answer, number}: the answer for the question's kind, and the decimal string.
 */
export function readNumber(question, typed) {
  if (BLANK.test(typed)) return {};
  // The survey's texts may be in a language that the page does not speak.
  const { lang } = document.querySelector("#title[lang]") ?? document.documentElement;
  const [number, other] = readings(typed, lang || "en");
  if (!number) return { problem: NUMBERS.none };
  if (other) return { problem: NUMBERS.which(shown(number), shown(unmistakable(other))) };
  if (decimal(number) === null) return { problem: NUMBERS.long };
  return { answer: KINDS[question.kind].answerOf(question, number), number };
}

/** Return how an option's index counts, in words: "Counts as: 30 to under 35 years." */
export function countsAs(question, index) {
  const withheld = question.prefer_not_to_say && index === question.options.length - 1;
  return NUMBERS.counts(amount(question.options[index], withheld ? "" : question.unit));
}

/** Return how a number counts, in words; beyond an end of the range it counts as that end. */
export function countsAsNumber({ low, high, unit }, number) {
  const [least, most] = [low, high].map(decimal);
  const counted = decimal(number) < least ? low : decimal(number) > most ? high : number;
  return NUMBERS.counts(amount(shown(counted), unit));
}

/** Return a text field with a live sentence on how its number counts, and a toggle for "Prefer not to say". */
export function numberField(question, names, onAnswer) {
  const counts = question.edges ? countsAs : countsAsNumber;
  const [lowest] = KINDS[question.kind].ends(question);
  const status = element("p", { id: `${names.id}-counts`, class: "counts", "aria-live": "polite", translate: "no" });
  const unit = element("span", { id: `${names.id}-unit`, class: "unit" }, question.unit ?? "");
  const hint = element("p", { id: `${names.id}-hint`, class: "hint" }, ASKED[question.kind].range(question));
  const input = element("input", {
    ...described(names), class: "entry", type: "text", autocomplete: "off", spellcheck: "false",
    // Decimal keypads on phones have no minus sign.
    inputmode: Number(lowest) < 0 ? "text" : "decimal",
    "aria-describedby": `${unit.id} ${hint.id} ${names.describedby}`,
  });
  const toggle = question.prefer_not_to_say
    ? button(question.options.at(-1), { class: "toggle" },
      () => withhold(toggle.getAttribute("aria-pressed") !== "true"))
    : null;

  function say(sentence, pressed = false) {
    toggle?.setAttribute("aria-pressed", String(pressed));
    if (status.textContent !== sentence) status.textContent = sentence;
  }
  /** Return how it counts, after how it was read, unless either shows it already. */
  function counted(number, answer) {
    const [reading, said] = [shown(number), counts(question, answer)];
    const same = reading === input.value.trim() || said === NUMBERS.counts(amount(reading, question.unit));
    return same ? said : ["=", `${reading}.`, said].join(" ");
  }
  function read() {
    const { problem = "", answer, number } = readNumber(question, input.value);
    say(number ? counted(number, answer) : problem);
    onAnswer(answer);
  }
  function withhold(pressed) {
    const answer = pressed ? question.options.length - 1 : undefined;
    input.value = "";
    say(pressed ? counts(question, answer) : "", pressed);
    onAnswer(answer);
  }
  function clear() {
    input.value = "";
    say("");
  }
  input.addEventListener("input", read);
  say("");
  return {
    node: element("div", {}, hint, element("div", { class: "number" }, input, unit, toggle), status),
    control: input,
    focus: () => input.focus(),
    clear,
  };
}
