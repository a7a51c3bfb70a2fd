// For an expert who checks this page: its own pins, the tables of the verified definition, and the site's log.

import { factorTogether, oddsFactor, totalAlpha, totalDelta, totalFactor } from "./certificate.js";
import { element } from "./dom.js";
import { oneIn, upward } from "./exact.js";
import { staying, tuples } from "./joint.js";
import { later } from "./later.js";
import { ofForm } from "./lot.js";
import { MECHANISMS } from "./mechanisms.js";
import { RESOLUTION } from "./uniform.js";
import { AUDIT, METHODS, ODDS, SELDOM } from "./words.js";

/** A factor of the certificate in words; beyond a million its digits say nothing more. */
function upTo(text) {
  return text.split(".")[0].length > 6 ? AUDIT.million : AUDIT.most(text);
}

/** What oddsFactor says about one question, in words. */
function within({ text, delta }) {
  return delta === null ? upTo(text) : AUDIT.apart(upTo(text), ODDS.oneIn(oneIn(delta)));
}

/**
 * Nodes with the definition's bytes and digest, the table of every question, the files, a list of {name, integrity}, and
 * the log's head. `place` is that of the form that this person is asked, undefined where there is none.
 */
export async function check(definition, place, bytes, digest, files) {
  const file = URL.createObjectURL(new Blob([bytes], { type: "application/json" }));
  const link = element("a", { href: file, download: "definition.json" }, AUDIT.definition);
  return [
    element("h2", {}, AUDIT.questions),
    element("p", {}, AUDIT.checked),
    element("p", { class: "fingerprint" }, digest),
    element("p", {}, link),
    ...definition.forms ? inForms(definition, place) : [element("p", {}, total(definition)), ...definition.questions.map(tableOf)],
    element("h2", {}, AUDIT.files),
    element("p", {}, AUDIT.order),
    element("ul", {}, ...files.map(({ name, integrity }) =>
      element("li", {}, name, element("p", { class: "fingerprint" }, integrity)))),
    ...await fromSite(),
    later(AUDIT.site, "audit.js", ({ audit }) => audit(definition)),
  ];
}

/** What the site says of its program, and the root of the log of what it serves, both to be kept or compared. */
async function fromSite() {
  const more = element("p", {}, elsewhere("/check/", AUDIT.more));
  try {
    const [release, head] = await Promise.all(["release", "head"].map(asked));
    return [
      element("h2", {}, AUDIT.program),
      element("p", {}, AUDIT.release(release.version, release.commit)),
      element("p", {}, ...head.source ? [AUDIT.source, elsewhere(head.source, head.source)] : [AUDIT.noSource]),
      element("p", {}, AUDIT.manifest),
      element("p", { class: "fingerprint" }, release.manifest),
      element("h2", {}, AUDIT.log),
      element("p", {}, AUDIT.head(head.number, head.day)),
      element("p", { class: "fingerprint" }, head.hash),
      more,
    ];
  } catch {
    return [element("h2", {}, AUDIT.log), element("p", {}, AUDIT.noHead), more];
  }
}

/** A file of the site's, asked for without credentials. */
async function asked(name) {
  const response = await fetch(`/check/${name}.json`, { credentials: "omit", cache: "no-store", redirect: "error" });
  return response.json();
}

function elsewhere(href, text) {
  return element("a", { href, target: "_blank", rel: "noopener noreferrer" }, text);
}

function total(definition, words = AUDIT.total) {
  const delta = totalDelta(definition);
  const text = upward(totalFactor(definition));
  return words(AUDIT.strength(totalAlpha(definition), delta), within({ text, delta }));
}

/** The tables of the questions that everybody is asked, then those of each form. */
function inForms(definition, place) {
  const { forms, questions } = definition;
  const named = forms.flatMap((form) => form.questions);
  const everybody = questions.filter(({ key }) => !named.includes(key));
  return [
    ...(everybody.length > 0 ? [element("h2", {}, AUDIT.everybody), ...everybody.map(tableOf)] : []),
    ...forms.flatMap((_, form) => oneForm(definition, form, form === place)),
  ];
}

function oneForm(definition, form, isOwn) {
  const { forms } = definition;
  const { questions, joint, ...more } = ofForm(definition, form);
  const own = questions.filter(({ key }) => forms[form].questions.includes(key));
  const words = own.length < questions.length ? AUDIT.totalWith : AUDIT.total;
  const chance = forms[form].weight / forms.reduce((sum, { weight }) => sum + weight, 0);
  const title = AUDIT.form(form + 1, forms.length, inPercent(chance));
  return [
    element("h2", {}, title + (isOwn ? AUDIT.own : "")),
    element("p", {}, total({ ...more, questions, joint }, words)),
    ...(joint ? [tableTogether(own, joint)] : own.map(tableOf)),
  ];
}

function tableTogether(questions, joint) {
  const { alpha, table, sizes } = joint;
  const change = within({ text: upward(factorTogether(joint)), delta: null });
  return element("section", { class: "table" },
    ...questions.map(({ text }) => element("h3", {}, text)),
    element("dl", {},
      element("dt", {}, AUDIT.guarantee),
      element("dd", {}, AUDIT.keptTogether(AUDIT.strength(alpha, null), change)),
      element("dt", {}, AUDIT.mechanism),
      element("dd", {}, AUDIT.together(tuples(sizes), inPercent(staying(table, sizes)))),
      ...entry("other", LINES.chances(table.other))));
}

function tableOf(question) {
  const { text, kind, alpha, delta, mechanism, table } = question;
  const { entries } = MECHANISMS[mechanism];
  return element("section", { class: "table" },
    element("h3", {}, text),
    element("dl", {},
      element("dt", {}, AUDIT.guarantee),
      element("dd", {}, AUDIT.kept(AUDIT.strength(alpha, delta), within(oddsFactor(question)))),
      element("dt", {}, AUDIT.mechanism),
      element("dd", {}, SELDOM[kind]?.method ?? METHODS[mechanism]),
      ...Object.entries(table).flatMap(([name, value]) => entry(name, LINES[entries[name].shows](value)))));
}

function entry(name, lines) {
  const items = lines.map((line) => element("li", { class: "fingerprint" }, line));
  return [element("dt", {}, AUDIT.entry(name)), element("dd", {}, element("ul", {}, ...items))];
}

/** The lines for an entry of a table: its integers, each with the chance it stands for; of rows and noise alone. */
const LINES = {
  counts: (value) => [String(value)],
  chances: (value) => [value].flat().map((threshold) => AUDIT.chance(threshold, percent(threshold))),
  integers: (value) => [value.join(", ")],
  rows: (value) => value.map((row, index) => `${index}: ${row.join(", ")}`),
};

function percent(threshold) {
  return inPercent(threshold / RESOLUTION);
}

function inPercent(chance) {
  return Number((100 * chance).toPrecision(4));
}
