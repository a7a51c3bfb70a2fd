// The entry: check everything, explain, ask, randomize once, deliver. It wires the other modules together.

import { browserWords, chanceIsSound, RepeatingGenerator } from "./generator.js";
import { makeReport } from "./privatize.js";
import { certify } from "./certificate.js";
import { languagesOf } from "./languages.js";
import { button, element } from "./dom.js";
import { fetchedBytes, sha256, speakOneOf, stage, stuck } from "./arrival.js";
import { localTimes, markTexts, preferred, speakIn } from "./language.js";
import { AHEAD, renderForm } from "./form.js";
import { noStore, openStore } from "./store.js";
import { lock } from "./lock.js";
import { deliver } from "./delivery.js";
import { consent, promise, standing } from "./promise.js";
import { choose, chooseByLot, definition, everyForm, inTongue, place, spent } from "./questionnaire.js";
import { later, pinned, pinnedFiles } from "./later.js";
import { answered, notice, previewed, refused, sending, thanks } from "./outcome.js";
import { always } from "./routing.js";
import { BY, FORM, LATER, PROBLEMS, SENDING, STOPPED } from "./words.js";

const below = document.getElementById("check");
const bar = document.getElementById("bar");
const { dataset } = document.querySelector("main");
const { slug, digest, definitionUrl, reportsUrl, resultsUrl, state, languages } = dataset;
// A designer's preview asks as this page does, but keeps nothing and sends nothing; its policy would not let it either.
const previewing = state === "preview";
const store = previewing ? noStore(dataset.form) : openStore({ slug, digest, url: reportsUrl });
const fetched = () => fetchedBytes(definitionUrl, previewing ? "same-origin" : "omit");
// The reports this tab is delivering; the definition in all its languages; the bytes asked for while the words were; how
// the page made what it shows, with the first view of it ({make, first}); the questions that are asked; whether this tab
// may ask: no other one does, or somebody wants to answer here.
const underway = new Set();
let [certified, fetching, drawn, form] = [null, null, null, null];
let language = "";
let mine = previewing;

/** Replace what the page shows: `make` returns its views, and once more where the language changes. */
function show(make) {
  put(make);
  leadTo(drawn.first);
}

function put(make) {
  const views = [make()].flat();
  drawn = { make, first: views[0] };
  stage.replaceChildren(...views.map(({ node }) => node));
  const top = views.map((view) => view.bar).filter(Boolean).at(-1);
  bar.replaceChildren(...(top ? [standing(definition), ...top] : []));
}

/** To a new heading, so a screen reader says it. */
function leadTo({ heading }) {
  document.body.scrollTop = 0;
  heading.focus({ preventScroll: true });
}

/** Fetch the definition's bytes and check them; otherwise say why there are no questions and return null. */
async function verifiedDefinition() {
  const bytes = await arrivedBytes();
  // A draft may have changed since its preview began to load.
  if (!previewing && await sha256(bytes) !== digest) {
    const sent = await sentSoFar();
    show(() => notice(STOPPED.other, STOPPED.otherWhy(STOPPED[sent])));
    return null;
  }
  const { definition: sound, problem } = certify(bytes);
  if (problem !== null) {
    const sent = await sentSoFar();
    show(() => notice(STOPPED.refusal, STOPPED.refusalWhy(PROBLEMS[problem.reason](problem), STOPPED[sent])));
  }
  return sound;
}

/** What a person must know about sending where the page cannot go on: its name among the words. */
async function sentSoFar() {
  const record = await store.current();
  if (!record) return record === null ? "nothingSent" : "unknownNow";
  return record.body === undefined ? "earlierSent" : "waits";
}

/** The bytes, however often they have to be asked for: when somebody presses a button, or the browser is online again. */
async function arrivedBytes() {
  for (let bytes = await (fetching ?? fetched()); ; bytes = await fetched()) {
    fetching = null;
    if (bytes !== null) return bytes;
    const sent = await sentSoFar();
    await new Promise((resolve) => {
      window.addEventListener("online", resolve, { once: true });
      show(() => notice(STOPPED.lost, STOPPED.lostWhy(STOPPED[sent]),
        button(STOPPED.again, { class: "button primary" }, resolve)));
    });
  }
}

/** Ask from the beginning: the promise, what has to be agreed to, the questions. */
function ask() {
  put(() => {
    const said = promise(definition);
    const next = definition.consent
      ? consent(definition.consent, () => show(() => questionsOf()))
      : questionsOf((first) => { said.node.hidden = !first; });
    return [said, next];
  });
}

/**
 * Build the questions. An answer lives in the form only, from here until `send` has drawn the report. onMove(first)
 * says whether the first section is shown.
 */
function questionsOf(onMove) {
  const heading = element("h2", { id: "questions", class: "visually-hidden", tabindex: "-1" }, FORM.title);
  const node = element("section", { "aria-labelledby": "questions" }, heading);
  const own = renderForm(definition, node, { onSend: (answers) => send(answers, own), onMove });
  form = own;
  // A page that is left, or kept for the Back button, keeps no answer.
  window.addEventListener("pagehide", own.clear);
  window.addEventListener("pageshow", (event) => { if (event.persisted) own.clear(); });
  window.addEventListener("beforeunload", (event) => { if (own.holds() && !previewing) event.preventDefault(); });
  store.onChange(() => {
    own.clear();
    if (node.isConnected) proceed();
  });
  return { node, heading, bar: [own.progress] };
}

/** Take the answers off the page, draw once and forget the answers, whatever happens; keep the report, then send it. */
async function send(answers, own) {
  const taken = new Map(answers);
  own.clear();
  form = null;
  show(() => notice(SENDING.title, SENDING.randomizing));
  let body = null;
  try {
    body = makeReport(certified, digest, taken, browserWords(), place);
  } catch (error) {
    // The error's own text could tell an answer, so it is dropped; whether the generator repeats itself tells none.
    show(error instanceof RepeatingGenerator ? noChance : () => notice(STOPPED.failed, STOPPED.failedWhy));
    return;
  } finally {
    taken.clear();
  }
  if (previewing) {
    show(() => [previewed(again), thanks(definition, body, {}, "")]);
  } else {
    take(await store.claim(body));
  }
}

const noChance = () => notice(STOPPED.chance, STOPPED.chanceWhy);

/** Go on from what this browser remembers: a report to deliver, or that one was delivered. Else ask, if there is to be asked. */
async function proceed() {
  const record = await store.current();
  if (record) take(record);
  else if (state === "closed" || state === "early") return;
  else if (!chanceIsSound()) show(noChance);
  else if (record !== null) show(() => notice(STOPPED.unknown, STOPPED.unknownWhy,
    button(STOPPED.again, { class: "button primary" }, proceed), button(STOPPED.first, { class: "button" }, again)));
  else if ((mine ||= await lock(digest, { ifAvailable: true }))) await begun();
  else elsewhere();
}

/** Another tab asks the same: say so until it is left, has sent a report, or somebody wants to answer here. */
function elsewhere() {
  const go = async () => {
    if (mine) return;
    mine = true;
    await proceed();
    leadTo(drawn.first);
  };
  show(() => notice(STOPPED.elsewhere, STOPPED.elsewhereWhy, button(STOPPED.here, { class: "button" }, go)));
  store.onChange(go);
  lock(digest).then(go);
}

function take(record) {
  if (record.body !== undefined) deliverReport(record);
  else if (state === "open") show(() => answered(definition, record, record.slug !== slug, resultsUrl, another));
}

async function deliverReport(record) {
  const { body, url } = record;
  if (underway.has(body)) return;
  underway.add(body);
  choose(JSON.parse(body).form);
  let view = null;
  let now = () => {};
  const tell = (how) => (pause) => {
    now = () => view[how](pause);
    now();
  };
  show(() => {
    view = sending(store.lasting, () => delivery.tryNow());
    now();
    return view;
  });
  const delivery = deliver(url, body, { onWaiting: tell("waiting"), onTrying: tell("trying") });
  const outcome = await delivery.outcome;
  const receipt = outcome.recorded ? { outcome: "recorded" } : { outcome: "refused", status: outcome.status };
  await store.settle(record, receipt, spent());
  underway.delete(body);
  show(() => (outcome.recorded ? thanks(definition, body, outcome, resultsUrl) : refused(outcome, body)));
}

/** Somebody else answers on this device: ask from the beginning. */
async function another() {
  await store.forgetReceipt();
  again();
}

async function again() {
  await begun();
  leadTo(drawn.first);
}

/** Draw a form, where the survey has any, ask, and say so to whoever listens. */
async function begun() {
  try {
    await chooseByLot(certified, store);
  } catch {
    show(noChance);
    return;
  }
  ask();
  const first = definition.questions.filter(always).length;
  const said = FORM.ready(first) + (first < definition.questions.length ? FORM.more : "");
  if (!previewing) document.getElementById("announcer").textContent = said;
}

/** The definition in a language in which the page already speaks, and what stands around the questions. */
function read(tag) {
  language = tag;
  inTongue(certified, tag);
  markTexts(definition, tag);
  // What is read is what was verified, not what came with the page.
  document.title = definition.title;
  for (const id of ["title", "introduction"]) document.getElementById(id).textContent = definition[id];
  document.getElementById("by").textContent = BY.survey;
  localTimes();
  below.replaceChildren(
    later(LATER.check, "check.js", ({ check }) => check(everyForm, place, digest, definitionUrl, pinnedFiles())),
    ...(previewing ? [] : [later(LATER.budget, "budget.js", ({ budget }) => budget(store))]));
}

/** The same page in another language, with what was answered. Whether its words came. */
async function change(tag, carry) {
  try {
    await speakIn(tag);
  } catch {
    return false;
  }
  const [before, left, at] = [element("div", {}, ...stage.childNodes, ...below.childNodes), form, form?.place()];
  read(tag);
  if (drawn) put(drawn.make);
  else stage.append(...before.querySelectorAll("[data-notice]"));
  carry([before], [stage, below]);
  left?.clear();
  if (left) form.show(at);
  return true;
}

/** The choice among the languages of the survey, if its file comes. */
async function offer(tags) {
  try {
    const { carry, picker } = await pinned("picker.js");
    document.querySelector("header").before(picker(tags, language, (tag) => change(tag, carry)));
  } catch {
    // The page stays in the language that it has.
  }
}

async function start() {
  await speakOneOf(languages.split(" "));
  if (!window.isSecureContext) {
    show(() => notice(STOPPED.insecure, STOPPED.insecureWhy));
    return;
  }
  certified = await verifiedDefinition();
  if (certified === null) return;
  const tags = languagesOf(certified);
  if (languages !== tags.join(" ")) await speakOneOf(tags);
  read(preferred(tags));
  if (tags.length > 1) await offer(tags);
  await proceed();
}

// Where there is no section before, Back leaves the page.
window.addEventListener("popstate", () => { if (history.state !== AHEAD && !form?.back()) history.back(); });
// Where the report is in this page alone, leaving would lose it.
window.addEventListener("beforeunload", (event) => { if (underway.size > 0 && !store.lasting) event.preventDefault(); });

// How far somebody scrolled among the questions is theirs: the browser must not restore it.
history.scrollRestoration = "manual";
// Keys scroll what has the focus; in a preview the builder has it.
if (self === top) document.body.focus({ preventScroll: true });
if (window.isSecureContext) fetching = fetched();
start().catch((error) => {
  stuck();
  throw error;
});
