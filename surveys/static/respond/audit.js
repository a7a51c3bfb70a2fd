// The audit of this site: reports drawn on this device, by the function that makes every report, prove a lower bound of
// alpha. None of them is sent.
//
// Of two fixed answers n reports are drawn in each half. On the first half an event is chosen that tells the two apart,
// on the second it is counted. Where reports keep (alpha, delta), P(E | one) <= e^alpha P(E | other) + delta for every
// event E; so alpha is at least log((P(E | one) - delta) / P(E | other)), and Clopper-Pearson bounds hold for the two
// chances. tests/support/audit.py is the same in Python.

import { button, element } from "./dom.js";
import { browserWords } from "./generator.js";
import { KINDS } from "./kinds.js";
import { everyPart } from "./lot.js";
import { valuesOf } from "./mechanisms.js";
import { makeReport } from "./privatize.js";
import { kept } from "./promise.js";
import { AUDIT } from "./words.js";

const REPORTS = 100000;
// For each of two bounds.
const MISS = 0.025;
// Ms, of drawing at a time.
const SLICE = 30;

// Mathematics ---------------------------------------------------------------------------------------------------------

/** The Clopper-Pearson lower bound of a chance that showed k times in n; too high with a chance of at most MISS. */
export function lowerChance(k, n) {
  if (k === 0) return 0;
  let logChoose = 0;
  for (let i = 1; i <= n - k; i += 1) logChoose += Math.log((k + i) / i);
  let [low, high] = [0, k / n];
  for (let i = 0; i < 60; i += 1) {
    const middle = (low + high) / 2;
    if (atLeast(k, n, middle, logChoose) <= MISS) low = middle;
    else high = middle;
  }
  return low;
}

/** P(X >= k) of a binomial with chance p, below k / n: its terms fall. */
function atLeast(k, n, p, logChoose) {
  let term = Math.exp(logChoose + k * Math.log(p) + (n - k) * Math.log1p(-p));
  let total = 0;
  for (let i = k; term > total * 1e-17; i += 1) {
    total += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return total;
}

/** The least alpha for an event that so many of n reports showed, the likelier answer's first. */
export function alphaBound([hits, others], n, delta) {
  const beyond = lowerChance(hits, n) - delta;
  return beyond > 0 ? Math.max(0, Math.log(beyond / (1 - lowerChance(n - others, n)))) : 0;
}

/** The largest alpha that so many reports in all can show: where every one of either answer tells it from the other. */
export function reach(reports, delta) {
  const n = Math.floor(reports / 4);
  return alphaBound([n, 0], n, delta);
}

/** Of values seen so often under either answer, a Map of pairs, those that tell them apart best: {values, likelier}. */
export function chosenEvent(counts, n, delta) {
  let [best, event] = [-Infinity, { values: [], likelier: 0 }];
  for (const likelier of [0, 1]) {
    const order = [...counts].sort(([v, a], [w, b]) => ratio(b, likelier) - ratio(a, likelier) || (v < w ? -1 : 1));
    let [hits, others] = [0, 0];
    order.forEach(([, count], end) => {
      hits += count[likelier];
      others += count[1 - likelier];
      const score = aboutBound(hits, others, n, delta);
      if (score > best) [best, event] = [score, { values: order.slice(0, end + 1).map(([value]) => value), likelier }];
    });
  }
  return event;
}

function ratio(count, likelier) {
  // Rare values have to show more than chance.
  return (count[likelier] + 5) / (count[1 - likelier] + 5);
}

function aboutBound(hits, others, n, delta) {
  const beyond = hits - 2 * Math.sqrt(hits) - delta * n;
  return beyond > 0 ? Math.log(beyond / (others + 2 * Math.sqrt(others) + 4)) : -Infinity;
}

// Drawing -------------------------------------------------------------------------------------------------------------

/** Two answers that lie as far apart as any; a kind in a file of its own may say there which they are (`apart`). */
export function twoAnswers(question) {
  const { kind, low, high, steps, items = [], options = steps ?? [] } = question;
  if (KINDS[kind].apart) return KINDS[kind].apart(question);
  const last = options.length - 1;
  if (kind === "mean" && !steps) return [low, high];
  if (kind === "multiple_choice") return [false, true].map((ticked) => options.map(() => ticked));
  return kind === "grid" ? [0, last].map((option) => items.map(() => option)) : [0, last];
}

// The part of a report in which two answers can be told apart, the rest being drawn without looking at them.
const TELLS = {
  randomized_response: (named, one, other) => [named.includes(one), named.includes(other)],
  bitwise: (marks, one, other) => marks[one] + marks[other],
  multiple: (picked) => picked.filter(([, bit]) => bit === 1).length,
  grid: (picked, one, other) => [one, other].map((each) => picked.filter(([, named]) => named.includes(each)).length),
};
TELLS.ranking = TELLS.multiple;
TELLS.laplace = TELLS.osgt = (figures, one, other) => [figures[one] > 0, figures[other] > 0];
TELLS.gaussian = (figures, one, other) => figures[one] - figures[other];

function textOf({ questions }) {
  return questions.map(({ text }) => text).join(" + ");
}

/** Two people who answer a part as differently as any; whom a question is asked is another one's matter. */
function twoPeople({ questions }) {
  return [0, 1].map((person) => Object.fromEntries(questions.map((each) => [each.key, twoAnswers(each)[person]])));
}

/** A definition of the part alone, which everybody is asked. */
function asked({ questions, ...draw }) {
  const free = questions.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => name !== "asked_if")));
  return { questions: free, draws: [{ ...draw, questions: questions.map(({ key }) => key) }] };
}

/** What a new report on a part tells of the answers, as text. */
function told(part, report) {
  if (part.questions.length > 1) return String(toldTogether(part, report));
  const [{ key, options = [] }] = part.questions;
  return String(TELLS[part.mechanism]?.(report[key], 0, options.length - 1) ?? report[key]);
}

/** Whether it holds all answers of the one, and all of the other: all other combinations are as likely under both. */
function toldTogether({ questions }, report) {
  return [questions.every(({ key }) => report[key].includes(0)),
    questions.every((each) => report[each.key].includes(valuesOf(each) - 1))];
}

/**
 * Draw the reports on a part in slices. onProgress(count) is called after each; it returns false to stop. Gives null if
 * stopped, else {hits, n, alpha}: of n reports of either answer so many showed the event, which proves alpha to be at
 * least this.
 */
export async function drawn(part, reports, onProgress) {
  const [n, people, delta] = [Math.floor(reports / 4), twoPeople(part), Number(part.delta ?? 0)];
  const definition = asked(part);
  const halves = [new Map(), new Map()];
  let words = browserWords();
  let since = performance.now();
  for (let i = 0; i < 4 * n; i += 1) {
    const counts = halves[i < 2 * n ? 0 : 1];
    const value = told(part, JSON.parse(makeReport(definition, "", people[i % 2], words)).answers);
    if (!counts.has(value)) counts.set(value, [0, 0]);
    counts.get(value)[i % 2] += 1;
    if (performance.now() - since > SLICE) {
      if (!onProgress(i + 1)) return null;
      await new Promise((resume) => { setTimeout(resume); });
      // What it has seen is kept: not for so many reports.
      words = browserWords();
      since = performance.now();
    }
  }
  const { values, likelier } = chosenEvent(halves[0], n, delta);
  const pairs = values.map((value) => halves[1].get(value) ?? [0, 0]);
  const hits = [likelier, 1 - likelier].map((answer) => pairs.reduce((sum, pair) => sum + pair[answer], 0));
  return { hits, n, alpha: alphaBound(hits, n, delta) };
}

// The view ------------------------------------------------------------------------------------------------------------

/** Nodes that let somebody audit one part of the definition, at first the one with the largest alpha. */
export function audit(definition) {
  const drawnAtOnce = everyPart(definition);
  const largest = Math.max(...drawnAtOnce.map(({ alpha }) => Number(alpha)));
  const choice = element("select", { id: "audited", class: "entry", autocomplete: "off" },
    ...drawnAtOnce.map((part, i) =>
      element("option", { value: String(i) }, AUDIT.audited(i + 1, textOf(part), part.alpha))));
  choice.value = String(drawnAtOnce.findIndex(({ alpha }) => Number(alpha) === largest));
  const limit = element("p");
  const sayLimit = () => {
    const part = drawnAtOnce[Number(choice.value)];
    limit.textContent = [replaced(part), unreachable(part)].filter(Boolean).join(" ");
  };
  choice.addEventListener("change", sayLimit);
  sayLimit();
  const bar = element("progress", { max: String(REPORTS), value: "0", "aria-label": AUDIT.progress, hidden: true });
  const status = element("p", { role: "status" });
  let running = false;
  const press = button(AUDIT.draw(REPORTS), { class: "button" }, async () => {
    running = !running;
    if (!running) return;
    await run(drawnAtOnce[Number(choice.value)]);
    running = false;
    choice.disabled = false;
    bar.hidden = true;
    press.textContent = AUDIT.draw(REPORTS);
  });
  async function run(part) {
    status.textContent = "";
    choice.disabled = true;
    bar.hidden = false;
    press.textContent = AUDIT.stop;
    const found = await drawn(part, REPORTS, (count) => {
      bar.value = count;
      return running && press.isConnected;
    });
    status.textContent = found === null ? AUDIT.stopped : AUDIT.found({ ...found, reports: REPORTS,
      least: hundredths(found.alpha), promised: AUDIT.strength(part.alpha, part.delta) });
  }
  return [element("p", {}, AUDIT.draws(REPORTS)), element("label", { for: choice.id }, AUDIT.which), choice,
    limit, element("p", {}, press), bar, status];
}

/** Of answers that are randomized together, what becomes of them and by what a report tells two people apart. */
function replaced(part) {
  return part.questions.length > 1 ? `${kept(part, null)} ${AUDIT.jointly}` : "";
}

/** What the audit cannot say of a part whose alpha is larger than any that it can show; empty for the others. */
function unreachable({ alpha, delta }) {
  const most = reach(REPORTS, Number(delta ?? 0));
  return Number(alpha) > most ? AUDIT.beyond(REPORTS, hundredths(most), alpha) : "";
}

function hundredths(alpha) {
  return (Math.floor(alpha * 100) / 100).toFixed(2);
}
