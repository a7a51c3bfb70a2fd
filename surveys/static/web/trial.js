// A question to try, randomized by the respondents' own code (respond/mechanisms.js). Nothing is sent.

import { browserWords } from "../respond/generator.js";
import { MECHANISMS } from "../respond/mechanisms.js";
import { uniformFrom } from "../respond/uniform.js";
import { crowd, estimate, settling } from "./drawing.js";

const YES = 0;
const NO = 1;
const FIRST = 100;
const DOUBLINGS = 7;
const PAUSE = 450;

const at = (name) => document.getElementById(`trial-${name}`);
const { question, yes, thousands, sign, words } = JSON.parse(document.getElementById("trial").dataset.trial);
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Return a sentence with its values. */
function fill(name, values) {
  return words[name].replace(/\{(\w+)\}/g, (_, place) => values[place]);
}

function count(number) {
  return `${number}`.replace(/\B(?=(\d{3})+$)/g, thousands);
}

function percent(share, rounded = Math.round) {
  return `${rounded(100 * share)}${sign}`;
}

// Own answer ----------------------------------------------------------------------------------------------------------

function ownAnswer(draw) {
  let [answer, drawn] = [null, []];
  const say = (option) => (option === YES ? words.yes : words.no);
  const again = () => {
    const report = draw(answer);
    drawn = [...drawn, report];
    const counted = drawn.filter((each) => each === YES).length;
    at("report").textContent = fill(report === answer ? "kept" : "changed", { answer: say(answer), report: say(report) });
    at("draws").textContent = drawn.length > 1
      ? fill("drawn", { count: drawn.length, yes: counted, no: drawn.length - counted }) : "";
    at("draws").hidden = drawn.length < 2;
    at("again").parentElement.hidden = false;
  };
  const choose = (option) => {
    [answer, drawn] = [option, []];
    at("yes").setAttribute("aria-pressed", option === YES);
    at("no").setAttribute("aria-pressed", option === NO);
    again();
  };
  at("yes").parentElement.hidden = false;
  at("yes").addEventListener("click", () => choose(YES));
  at("no").addEventListener("click", () => choose(NO));
  at("again").addEventListener("click", again);
}

// Invented people -----------------------------------------------------------------------------------------------------

/** Return this many people with answers and reports. */
function people(draw, number) {
  const answers = Array.from({ length: number }, (_, i) => (i % 100 < yes ? YES : NO));
  return answers.map((answer) => ({ answer, report: draw(answer) }));
}

function saying(reports) {
  return reports.filter(({ report }) => report === YES).length;
}

function hundred(reports, uniform) {
  const button = at("truth");
  const show = crowd(at("crowd"), reports, uniform);
  const say = () => {
    const open = button.getAttribute("aria-pressed") === "true";
    show(open);
    at("counted").textContent = fill(open ? "truth" : "crowd", { yes: open ? yes : saying(reports) });
  };
  button.parentElement.hidden = false;
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true");
    say();
  });
  say();
}

function joining(draw, first) {
  const chance = (1 - question.table.keep / 2 ** 53) / 2;
  const button = at("people");
  let steps = [];
  const show = () => {
    const { n, share, low, high } = steps.at(-1);
    const values = { count: count(n), truth: percent(yes / 100) };
    settling(at("settling"), steps, yes / 100, FIRST * 2 ** DOUBLINGS, count, percent, fill("picture", values));
    at("settled").textContent = fill("settled", { ...values, share: percent(share), low: percent(low, Math.floor), high: percent(high, Math.ceil) });
  };
  const begin = (reports) => { steps = [estimate(saying(reports), reports.length, chance)]; };
  const join = () => {
    const { n, reported } = steps.at(-1);
    steps = [...steps, estimate(reported + saying(people(draw, n)), 2 * n, chance)];
    show();
    if (steps.length <= DOUBLINGS) setTimeout(join, still.matches ? 0 : PAUSE);
    else button.disabled = false;
  };
  button.parentElement.hidden = false;
  button.addEventListener("click", () => {
    button.disabled = true;
    if (steps.length > DOUBLINGS) begin(people(draw, FIRST));
    join();
  });
  begin(first);
  show();
}

const uniform = uniformFrom(browserWords());
const draw = (answer) => MECHANISMS[question.mechanism].draw(answer, question.table, question.options.length, uniform)[0];
const first = people(draw, FIRST);
ownAnswer(draw);
hundred(first, uniform);
joining(draw, first);
