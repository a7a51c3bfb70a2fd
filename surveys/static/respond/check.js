// For experts who check this page: its pins, the tables of the verified definition, and the site's log.

import { factor, totalAlpha, totalDelta, totalFactor } from "./certificate.js";
import { element } from "./dom.js";
import { oneIn } from "./exact.js";
import { later } from "./later.js";
import { ofForm, partsOf } from "./lot.js";
import { MECHANISMS, TOGETHER } from "./mechanisms.js";
import { kept, percentKept } from "./promise.js";
import { RESOLUTION } from "./uniform.js";
import { AUDIT, METHODS, ODDS } from "./words.js";

/** Return a fraction as text with one decimal below 100 and none above, always rounded up. */
function upward([numerator, denominator]) {
  const tenths = (numerator * 10n + denominator - 1n) / denominator;
  if (tenths >= 1000n) return ((tenths + 9n) / 10n).toString();
  return `${tenths / 10n}.${tenths % 10n}`;
}

/** Return the factor of a part as a text that is never too small; `delta` is null or a decimal string. */
export function oddsFactor(part) {
  return { text: upward(factor(part)), delta: part.delta ?? null };
}

/** Return a factor in words; beyond a million only that. */
function upTo(text) {
  return text.split(".")[0].length > 6 ? AUDIT.million : AUDIT.most(text);
}

/** Return the result of oddsFactor in words. */
function within({ text, delta }) {
  return delta === null ? upTo(text) : AUDIT.apart(upTo(text), ODDS.oneIn(oneIn(delta)));
}

/**
 * Return nodes with the definition's bytes and digest, the table of every draw, the files, a list of {name, integrity}, and
 * the log's head. `place` is the form that this person is asked, undefined without forms.
 */
export async function check(definition, place, bytes, digest, files) {
  const file = URL.createObjectURL(new Blob([bytes], { type: "application/json" }));
  const link = element("a", { href: file, download: "definition.json" }, AUDIT.definition);
  return [
    element("h2", {}, AUDIT.questions),
    element("p", {}, AUDIT.checked),
    element("p", { class: "fingerprint" }, digest),
    element("p", {}, link),
    ...definition.forms ? inForms(definition, place) : withoutForms(ofForm(definition)),
    element("h2", {}, AUDIT.files),
    element("p", {}, AUDIT.order),
    element("ul", {}, ...files.map(({ name, integrity }) =>
      element("li", {}, name, element("p", { class: "fingerprint" }, integrity)))),
    ...await fromSite(),
    later(AUDIT.site, "audit.js", ({ audit }) => audit(definition)),
  ];
}

/** Return the site's version and the root of its log, for comparison. */
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

/** Return a JSON file of the site, fetched without credentials. */
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

function withoutForms(definition) {
  return [element("p", {}, total(definition)), ...definition.parts.map(tableOf)];
}

/** Return the tables of the draws for all respondents, then those of each form. */
function inForms(definition, place) {
  const shared = partsOf(definition.draws, definition);
  return [
    ...(shared.length > 0 ? [element("h2", {}, AUDIT.shared), ...shared.map(tableOf)] : []),
    ...definition.forms.flatMap((_, form) => oneForm(definition, form, form === place)),
  ];
}

function oneForm(definition, form, isOwn) {
  const { draws, forms } = definition;
  const words = draws.length > 0 ? AUDIT.totalWith : AUDIT.total;
  const chance = forms[form].weight / forms.reduce((sum, { weight }) => sum + weight, 0);
  const title = AUDIT.form(form + 1, forms.length, inPercent(chance));
  return [
    element("h2", {}, title + (isOwn ? AUDIT.own : "")),
    element("p", {}, total(ofForm(definition, form), words)),
    ...partsOf(forms[form].draws, definition).map(tableOf),
  ];
}

function tableOf(part) {
  const { questions, alpha, delta, mechanism, table } = part;
  const { entries } = MECHANISMS[mechanism];
  const guarantee = questions.length > 1 ? AUDIT.keptTogether : AUDIT.kept;
  return element("section", { class: "table" },
    ...questions.map(({ text }) => element("h3", {}, text)),
    element("dl", {},
      element("dt", {}, AUDIT.guarantee),
      element("dd", {}, guarantee(AUDIT.strength(alpha, delta), within(oddsFactor(part)))),
      element("dt", {}, AUDIT.mechanism),
      element("dd", {}, method(part)),
      ...Object.entries(table).flatMap(([name, value]) => entry(name, LINES[entries[name].shows](value)))));
}

function method(part) {
  const { questions: [, ...others], mechanism } = part;
  const said = METHODS[mechanism];
  return mechanism === TOGETHER ? `${said} ${kept(part, others.length > 0 ? null : 1)}` : said;
}

function entry(name, lines) {
  const items = lines.map((line) => element("li", { class: "fingerprint" }, line));
  return [element("dt", {}, AUDIT.entry(name)), element("dd", {}, element("ul", {}, ...items))];
}

/** The lines for an entry of a table: its integers, each with its chance except in rows and noise. */
const LINES = {
  counts: (value) => [String(value)],
  chances: (value) => [value].flat().map((threshold) => AUDIT.chance(threshold, percent(threshold))),
  integers: (value) => [value.map((each) => [each].flat().join(" × ")).join(", ")],
  rows: (value) => value.map((row, index) => `${index}: ${row.join(", ")}`),
};

function percent(threshold) {
  const rounded = inPercent(threshold / RESOLUTION);
  return rounded < 100 ? rounded : percentKept(threshold);
}

function inPercent(chance) {
  return Number((100 * chance).toPrecision(4));
}
