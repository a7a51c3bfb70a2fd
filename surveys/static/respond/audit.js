// The audit: reports drawn on this device, by the function that makes every report, prove a lower bound of alpha. None
// of them is sent.
//
// Each half draws n reports for each of two fixed answers. The first half selects an event that distinguishes the
// answers, the second counts it. If reports keep (alpha, delta), P(E | one) <= e^alpha P(E | other) + delta for every
// event E; so alpha is at least log((P(E | one) - delta) / P(E | other)), with Clopper-Pearson bounds for both.
// tests/support/audit.py does the same in Python.

import { button, element } from "./dom.js";
import { browserWords } from "./generator.js";
import { KINDS } from "./kinds.js";
import { everyPart } from "./lot.js";
import { valuesOf } from "./mechanisms.js";
import { makeReport } from "./privatize.js";
import { kept } from "./promise.js";
import { AUDIT } from "./words.js";

const REPORTS = 100000;
// The chance of an error, for each of two bounds.
const MISS = 0.025;
// Milliseconds of drawing at a time.
const SLICE = 30;

// Mathematics ---------------------------------------------------------------------------------------------------------

/** Return the Clopper-Pearson lower bound of a chance with k events in n; too high with a chance of at most MISS. */
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

/** Return P(X >= k) of a binomial with chance p below k / n, where the terms decrease. */
function atLeast(k, n, p, logChoose) {
  let term = Math.exp(logChoose + k * Math.log(p) + (n - k) * Math.log1p(-p));
  let total = 0;
  for (let i = k; term > total * 1e-17; i += 1) {
    total += term;
    term *= ((n - i) / (i + 1)) * (p / (1 - p));
  }
  return total;
}

/** Return the least alpha for an event with these counts in n reports each, the likelier answer's first. */
export function alphaBound([hits, others], n, delta) {
  const beyond = lowerChance(hits, n) - delta;
  return beyond > 0 ? Math.max(0, Math.log(beyond / (1 - lowerChance(n - others, n)))) : 0;
}

/** Return the largest alpha that these reports can show: for an event that always separates the answers. */
export function reach(reports, delta) {
  const n = Math.floor(reports / 4);
  return alphaBound([n, 0], n, delta);
}

/** Return the values that distinguish the answers best, {values, likelier}, from a Map of value to pair of counts. */
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
  // Rare values must differ by more than chance.
  return (count[likelier] + 5) / (count[1 - likelier] + 5);
}

function aboutBound(hits, others, n, delta) {
  const beyond = hits - 2 * Math.sqrt(hits) - delta * n;
  return beyond > 0 ? Math.log(beyond / (others + 2 * Math.sqrt(others) + 4)) : -Infinity;
}

// Drawing -------------------------------------------------------------------------------------------------------------

/** Return two answers that differ as much as possible; a kind in a file of its own may name them there (`apart`). */
export function twoAnswers(question) {
  const { kind, low, high, steps, items = [], options = steps ?? [] } = question;
  if (KINDS[kind].apart) return KINDS[kind].apart(question);
  const last = options.length - 1;
  if (kind === "mean" && !steps) return [low, high];
  if (kind === "multiple_choice") return [false, true].map((ticked) => options.map(() => ticked));
  return kind === "grid" ? [0, last].map((option) => items.map(() => option)) : [0, last];
}

// The part of a report that depends on the answers.
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

/** Return two people who answer a part as differently as possible, whatever conditions its questions have. */
function twoPeople({ questions }) {
  return [0, 1].map((person) => Object.fromEntries(questions.map((each) => [each.key, twoAnswers(each)[person]])));
}

/** Return a definition of the part alone, which all people are asked. */
function asked({ questions, ...draw }) {
  const free = questions.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => name !== "asked_if")));
  return { questions: free, draws: [{ ...draw, questions: questions.map(({ key }) => key) }] };
}

/** Return what a new report on a part reveals about the answers, as text. */
function evidence(part, report) {
  if (part.questions.length > 1) return String(evidenceTogether(part, report));
  const [{ key, options = [] }] = part.questions;
  return String(TELLS[part.mechanism]?.(report[key], 0, options.length - 1) ?? report[key]);
}

/** Return whether it holds all answers of either person; other combinations are equally likely for both. */
function evidenceTogether({ questions }, report) {
  return [questions.every(({ key }) => holds(report[key], 0)),
    questions.every((each) => holds(report[each.key], valuesOf(each) - 1))];
}

/** Return whether a list names an answer; for a list or grid, whether each drawn entry does. */
function holds(named, answer) {
  return named.includes(answer) || (named[0] instanceof Array && named.every(([, of]) => [of].flat().includes(answer)));
}

/**
 * Draw the reports on a part in slices. onProgress(count) is called after each; false stops. Return null if stopped,
 * else {hits, n, alpha}: the counts of the event in n reports of either answer, and the least alpha that they prove.
 */
export async function drawn(part, reports, onProgress) {
  const [n, people, delta] = [Math.floor(reports / 4), twoPeople(part), Number(part.delta ?? 0)];
  const definition = asked(part);
  const halves = [new Map(), new Map()];
  let words = browserWords();
  let since = performance.now();
  for (let i = 0; i < 4 * n; i += 1) {
    const counts = halves[i < 2 * n ? 0 : 1];
    const value = evidence(part, JSON.parse(makeReport(definition, "", people[i % 2], words)).answers);
    if (!counts.has(value)) counts.set(value, [0, 0]);
    counts.get(value)[i % 2] += 1;
    if (performance.now() - since > SLICE) {
      if (!onProgress(i + 1)) return null;
      await new Promise((resume) => { setTimeout(resume); });
      // The old one remembers too many words.
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

/** Return nodes for the audit of one part of the definition, first the one with the largest alpha. */
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

/** Return how jointly randomized answers are replaced and how a report distinguishes two people; "" for others. */
function replaced(part) {
  return part.questions.length > 1 ? `${kept(part, null)} ${AUDIT.jointly}` : "";
}

/** Return what the audit cannot show for a part with an alpha beyond its reach; "" for others. */
function unreachable({ alpha, delta }) {
  const most = reach(REPORTS, Number(delta ?? 0));
  return Number(alpha) > most ? AUDIT.beyond(REPORTS, hundredths(most), alpha) : "";
}

function hundredths(alpha) {
  return (Math.floor(alpha * 100) / 100).toFixed(2);
}
