// The entry: check everything, explain, ask, randomize once, deliver. It wires the other modules together.

import { browserWords, RepeatingGenerator } from "./generator.js";
import { makeReport } from "./privatize.js";
import { certify, totalAlpha, totalDelta } from "./certificate.js";
import { button, element } from "./dom.js";
import { renderForm } from "./form.js";
import { openStore } from "./store.js";
import { deliver } from "./delivery.js";
import { consent, promise, strengths } from "./promise.js";
import { later, pinned } from "./later.js";
import { answered, notice, previewed, refused, sending, thanks } from "./outcome.js";
import { always } from "./routing.js";
import { AUDIT, BUDGET, FORM, PROBLEMS, SENDING, speak, STOPPED } from "./words.js";

const stage = document.getElementById("stage");
const { slug, digest, definitionUrl, reportsUrl, resultsUrl, state } = document.querySelector("main").dataset;
// A designer's preview asks as this page does, but keeps nothing and sends nothing; its policy would not let it either.
const previewing = state === "preview";
const store = previewing ? { current: () => null, onChange() {} } : openStore({ slug, digest, url: reportsUrl });
const underway = new Set(); // the reports this tab is delivering

/** Replace what the page shows. */
function show(view, ...more) {
  stage.replaceChildren(view.node, ...more);
  leadTo(view);
}

/** To a new heading, so a screen reader says it. */
function leadTo({ heading }) {
  window.scrollTo(0, 0);
  heading.focus({ preventScroll: true });
}

/** Fetch the definition's bytes and check them; otherwise say why there are no questions and return null. */
async function verifiedDefinition() {
  const bytes = await fetchedBytes();
  if (bytes === null) {
    show(notice(STOPPED.lost, STOPPED.lostWhy(await sentSoFar()),
      button(STOPPED.again, { class: "button primary" }, start)));
    return null;
  }
  // A draft may have changed since its preview began to load.
  if (!previewing && hex(await crypto.subtle.digest("SHA-256", bytes)) !== digest) {
    show(notice(STOPPED.other, STOPPED.otherWhy(await sentSoFar())));
    return null;
  }
  const { definition, problem } = certify(bytes);
  if (problem !== null) {
    show(notice(STOPPED.refusal, STOPPED.refusalWhy(PROBLEMS[problem.reason](problem), await sentSoFar())));
  }
  return definition;
}

/** What a person must know about sending where the page cannot go on. */
async function sentSoFar() {
  const record = await store.current();
  if (record === null) return STOPPED.nothingSent;
  return record.body === undefined ? STOPPED.earlierSent : STOPPED.waits;
}

async function fetchedBytes() {
  try {
    const credentials = previewing ? "same-origin" : "omit";
    const response = await fetch(definitionUrl, { credentials, cache: "no-store", redirect: "error" });
    return response.ok ? await response.arrayBuffer() : null;
  } catch {
    return null;
  }
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Ask from the beginning: the promise, what has to be agreed to, the questions. Returns the first of these views. */
function ask(definition) {
  const said = promise(definition);
  const next = definition.consent
    ? consent(definition.consent, () => show(questionsOf(definition)))
    : questionsOf(definition, (first) => { said.node.hidden = !first; });
  stage.replaceChildren(said.node, next.node);
  return said;
}

/**
 * Build the questions. An answer lives in the form only, from here until `send` has drawn the report. onMove(first)
 * says whether the first section is shown.
 */
function questionsOf(definition, onMove) {
  const heading = element("h2", { id: "questions", class: "visually-hidden", tabindex: "-1" }, FORM.title);
  const node = element("section", { "aria-labelledby": "questions" }, heading);
  const form = renderForm(definition, node, { onSend: (answers) => send(definition, answers, form), onMove });
  // A page that is left, or kept for the Back button, keeps no answer.
  window.addEventListener("pagehide", form.clear);
  window.addEventListener("pageshow", (event) => { if (event.persisted) form.clear(); });
  window.addEventListener("beforeunload", (event) => { if (form.holds() && !previewing) event.preventDefault(); });
  store.onChange(() => {
    form.clear();
    if (node.isConnected) resume(definition);
  });
  return { node, heading };
}

/** Take the answers off the page, draw once and forget the answers, whatever happens; keep the report, then send it. */
async function send(definition, answers, form) {
  const taken = new Map(answers);
  form.clear();
  show(notice(SENDING.title, SENDING.randomizing));
  let body = null;
  try {
    body = makeReport(definition, digest, taken, browserWords());
  } catch (error) {
    // The error's own text could tell an answer, so it is dropped; whether the generator repeats itself tells none.
    show(error instanceof RepeatingGenerator ? noChance() : notice(STOPPED.failed, STOPPED.failedWhy));
    return;
  } finally {
    taken.clear();
  }
  if (previewing) {
    show(previewed(() => again(definition)), thanks(definition, body, {}, "").node);
  } else {
    await store.claim(body);
    await resume(definition);
  }
}

function chanceIsSound() {
  try {
    return Number.isInteger(browserWords()());
  } catch {
    return false;
  }
}

function noChance() {
  return notice(STOPPED.chance, STOPPED.chanceWhy);
}

/** Go on from what this browser remembers: a report to deliver, or that one was delivered. False for neither. */
async function resume(definition) {
  const record = await store.current();
  if (record === null) return false;
  if (record.body !== undefined) deliverReport(definition, record);
  else if (state === "open") show(answered(definition, record, record.slug !== slug, resultsUrl, () => another(definition)));
  return record.body !== undefined || state === "open";
}

async function deliverReport(definition, record) {
  const { body, url } = record;
  if (underway.has(body)) return;
  underway.add(body);
  const view = sending(store.lasting, () => delivery.tryNow());
  const delivery = deliver(url, body, { onWaiting: view.waiting, onTrying: view.trying });
  show(view);
  const outcome = await delivery.outcome;
  await store.settle(record, outcome.recorded ? "recorded" : "refused", spent(definition));
  show(outcome.recorded ? thanks(definition, body, outcome, resultsUrl) : refused(outcome, body));
}

/** What a report costs, for the list that this device keeps. Whoever was sent it may have it, recorded or not. */
function spent(definition) {
  const day = new Date().toISOString().slice(0, 10);
  const [alpha, delta] = [totalAlpha(definition), totalDelta(definition)];
  return { title: definition.title, day, alpha, delta, step: strengths(definition).all };
}

/** Somebody else answers on this device: ask from the beginning. */
async function another(definition) {
  await store.forgetReceipt();
  again(definition);
}

function again(definition) {
  leadTo(ask(definition));
}

/** The files of this page with the fingerprints the browser held them to. */
function pinnedFiles() {
  return Array.from(document.querySelectorAll("[integrity]:not([hreflang][rel=pinned])"), (node) => ({
    name: (node.src || node.href).split("/").at(-1),
    integrity: node.integrity,
  }));
}

/** When the survey begins, by the clock of whoever reads it. */
function localTime(node) {
  const local = { dateStyle: "long", timeStyle: "short" };
  if (node) node.textContent = new Date(node.dateTime).toLocaleString(document.documentElement.lang, local);
}

async function start() {
  const definition = await verifiedDefinition();
  if (definition === null) return;
  // What is read is what was verified, not what came with the page.
  document.getElementById("title").textContent = definition.title;
  document.getElementById("introduction").textContent = definition.introduction;
  localTime(document.getElementById("begins"));
  document.getElementById("check").replaceChildren(
    later(AUDIT.title, "check.js", ({ check }) => check(definition, digest, definitionUrl, pinnedFiles())),
    ...(previewing ? [] : [later(BUDGET.title, "budget.js", ({ budget }) => budget(store))]));
  if (await resume(definition) || state === "closed" || state === "early") return;
  if (!chanceIsSound()) {
    show(noChance());
    return;
  }
  ask(definition);
  const first = definition.questions.filter(always).length;
  if (!previewing) document.getElementById("announcer").textContent = FORM.ready(first);
}

// How far somebody scrolled among the questions is theirs: the browser must not restore it.
history.scrollRestoration = "manual";
speak(await pinned("en.js"));
if (window.isSecureContext) {
  start();
} else {
  show(notice(STOPPED.insecure, STOPPED.insecureWhy));
}
