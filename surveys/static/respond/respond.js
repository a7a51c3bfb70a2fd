// The entry point: check everything, explain, ask, randomize once, deliver. It connects the other modules.

import { browserWords, chanceIsSound, RepeatingGenerator } from "./generator.js";
import { makeReport } from "./privatize.js";
import { languagesOf } from "./languages.js";
import { button, element, shaped } from "./dom.js";
import { fetchedSurvey, sha256, speakOneOf, stage, stuck } from "./arrival.js";
import { isSpoken, preferred, SPOKEN } from "./language.js";
import { slug, token } from "./link.js";
import { AHEAD, renderForm } from "./form.js";
import { isLong } from "./choice.js";
import { openStore } from "./store.js";
import { lock } from "./lock.js";
import { deliver } from "./delivery.js";
import { promise } from "./promise.js";
import { choose, chooseByLot, definition, everyForm, inTongue, place, spent } from "./questionnaire.js";
import { later, pinnedFiles } from "./later.js";
import { notice } from "./notice.js";
import { withKinds } from "./seldom.js";
import { conclude, leadToFirst, loaded, put, redraw, show, untilSent } from "./view.js";
import { always } from "./routing.js";
import { BY, FORM, LATER, SENDING, STOPPED } from "./words.js";

const below = document.getElementById("check");
// A designer's preview has the URL of a draft. It asks like this page, but stores nothing and sends no report:
// preview.js, which no other page names, replaces that, and the preview's policy blocks every survey.
const { draft } = document.querySelector("main").dataset;
const identity = { slug, digest: "" };
const fetched = () => fetchedSurvey(slug, draft);
// `underway`: what this tab is sending, first answers, then a report by its id. `certified`: the definition in all
// languages. `fetching`: the request for the survey, parallel to that for the words; `survey`: its result. `form`: the
// questions on the page. `invited`: invitation.js, if the survey is by invitation and not previewed; `long`, `preview`,
// `translations`: these modules, if needed. `resultsUrl`: the URL of published results. `mine`: this tab may ask,
// because no other does or the person wants to answer here. `store`: the memory. `sayings`: notes for the promise.
const underway = new Set();
let certified, fetching, survey, form, invited, long, preview, translations;
let [language, resultsUrl, mine, store] = ["", "", draft, draft ? null : openStore(identity)];
const sayings = [];
// Files that some surveys need, by the fields of their definitions.
const PARTS = ["relay", "markup", "accent", "pictures", "wave_of"];

/** Fetch the survey and return its checked definition; else show the reason and return null. */
async function verifiedDefinition() {
  survey = await arrivedSurvey();
  if (survey.bytes === undefined) {
    const sent = await sentSoFar();
    (await loaded("lost.js")).lost(sent);
    return null;
  }
  identity.digest = await sha256(survey.bytes);
  if (survey.earlier) identity.earlier = survey.earlier.split(" ");
  resultsUrl = survey.results === "public" ? `/r/${slug}/` : "";
  const { definition: sound, problem } = await withKinds(survey.bytes);
  if (problem !== null) {
    const sent = await sentSoFar();
    conclude(({ unsound }) => unsound(problem, sent));
  }
  return sound;
}

/** Return the name of the text on what has been sent, if the page cannot go on. */
async function sentSoFar() {
  const record = await store.current();
  if (!record) return record === null ? "nothingSent" : "unknownNow";
  return record.body === undefined ? "earlierSent" : "waits";
}

/** Return the survey; request it again when the person presses a button or the browser is online again. */
async function arrivedSurvey() {
  for (let arrived = await (fetching ?? fetched()); ; arrived = await fetched()) {
    fetching = null;
    if (arrived !== null) return arrived;
    const sent = await sentSoFar();
    await new Promise((resolve) => {
      window.addEventListener("online", resolve, { once: true });
      show(() => notice(STOPPED.lost, STOPPED.lostWhy(STOPPED[sent]),
        button(STOPPED.again, { class: "button primary" }, resolve)));
    });
  }
}

/** Ask from the beginning: the promise, the consent, the questions. */
function ask() {
  put(() => {
    const said = promise(definition, invited?.grouped(definition) ?? null, sayings.map((saying) => saying()));
    const next = definition.consent
      ? long.consent(definition.consent, () => show(() => questionsOf()))
      : questionsOf((first) => { said.node.hidden = !first; });
    return [said, next];
  });
}

/** Build the questions. Answers stay in the form until `send` has drawn the report; onMove as in form.js. */
function questionsOf(onMove) {
  const heading = element("h2", { id: "questions", class: "visually-hidden", tabindex: "-1" }, FORM.title);
  const node = element("section", { "aria-labelledby": "questions" }, heading);
  const asked = renderForm(definition, node,
    { onSend: (answers) => send(answers, asked), onHold: entitle, onMove, choices: invited?.choices() });
  form = asked;
  // A page that is left, or cached for the Back button, keeps no answer.
  window.addEventListener("pagehide", asked.clear);
  window.addEventListener("pageshow", (event) => { if (event.persisted) asked.clear(); });
  store.onChange(() => {
    asked.clear();
    if (node.isConnected) proceed();
  });
  return { node, heading, bar: [asked.progress] };
}

/** Clear the answers from the page, draw once, forget them in any case; store the report, then send it. */
async function send(answers, asked) {
  const taken = new Map(answers);
  sends(taken);
  asked.clear();
  form = null;
  show(() => notice(SENDING.title, SENDING.randomizing));
  let body, more;
  try {
    body = makeReport(certified, identity.digest, taken, browserWords(), place);
    more = await invited?.blinded(certified, body, token);
  } catch (error) {
    sends(taken, true);
    return failed(error);
  } finally {
    taken.clear();
  }
  if (draft) await preview.previewed(again, definition, body);
  else take(await store.claim(body, more));
  sends(taken, true);
}

const isUnsent = () => !draft && (underway.size > 0 || Boolean(form?.holds()));

/** Set the tab's title, which shows whether answers or a report are not sent yet. */
const entitle = () => { document.title = (isUnsent() ? FORM.unsent : "") + definition.title; };

/** Note that something is being sent, or no longer. */
function sends(what, isSent) {
  underway[isSent ? "delete" : "add"](what);
  entitle();
}

const noChance = () => conclude(({ chance }) => chance());
// The error's text could reveal an answer, so it is dropped; a repeating generator's reveals none.
const failed = (error) =>
  error instanceof RepeatingGenerator ? noChance() : show(() => notice(STOPPED.failed, STOPPED.failedWhy));

/**
 * Go on from this browser's memory: deliver a stored report; or, if the survey is open, show that one was delivered;
 * else ask.
 */
async function proceed() {
  const record = await store.current();
  if (record?.body !== undefined) take(record);
  else if (survey.newer) (await loaded("outcome.js")).led(survey.newer);
  else if (survey.state === "closed") conclude(({ closed }) => closed(resultsUrl));
  else if (survey.state === "early") conclude(({ early }) => early(survey.begins));
  else if (record) take(record);
  else if (!chanceIsSound()) noChance();
  else if (record !== null) conclude(({ unknown }) => unknown(proceed, again));
  else if ((mine ||= await lock(identity.digest, { ifAvailable: true }))) await begun();
  else await elsewhere();
}

/** Show that another tab asks the same, until it is left or has sent, or the person wants to answer here. */
async function elsewhere() {
  const go = async () => {
    if (mine) return;
    mine = true;
    await proceed();
    leadToFirst();
  };
  await conclude((module) => module.askedElsewhere(go));
  store.onChange(go);
  lock(identity.digest).then(go);
}

async function take(record) {
  if (record.body !== undefined) return bring(record);
  const same = record.used && record.used === await invited?.markOf(token);
  return conclude(({ answered }) => answered(definition, record, identity, resultsUrl, same ? null : another));
}

/** Deliver a report, after its invitation is dealt with; begin anew if another tab has settled it. */
async function bring(record) {
  const { report_id: id } = JSON.parse(record.body);
  if (underway.has(id)) return;
  sends(id);
  const ready = invited ? await invited.readied(certified, record, store) : record;
  const outcome = ready && await delivered(ready);
  sends(id, true);
  if (ready === undefined) await proceed();
  if (!outcome) return;
  await (outcome.recorded
    ? conclude(({ thanks }) => thanks(definition, ready.body, outcome, resultsUrl), SENDING.thanks, SENDING.recorded)
    : conclude(({ refused }) => refused(outcome, ready.body)));
}

/** Deliver a report, replace it by its receipt and return the outcome. */
async function delivered(record) {
  choose(JSON.parse(record.body).form);
  const outcome = await untilSent(store, (handlers) => deliver(record.slug, record.body, handlers));
  const receipt = outcome.recorded ? { outcome: "recorded" } : { outcome: "refused", status: outcome.status };
  if (record.used) receipt.used = record.used;
  await store.settle(record, receipt, spent());
  return outcome;
}

/** Another person answers on this device: ask from the beginning. */
async function another() {
  await store.forgetReceipt();
  again();
}

async function again() {
  await begun();
  leadToFirst();
}

/** Draw a form, if there are any, ask, and announce that to screen readers. */
async function begun() {
  const refusal = await invited?.refusal(certified, slug, token);
  if (refusal) return show(refusal);
  try {
    await chooseByLot(certified, store);
  } catch (error) {
    return failed(error);
  }
  ask();
  const first = definition.questions.filter(always).length;
  const said = FORM.ready(first) + (first < definition.questions.length ? FORM.more : "");
  if (!draft) document.getElementById("announcer").textContent = said;
}

/** Show the definition in a language whose words are loaded, with the texts around the questions. */
function read(tag) {
  language = tag;
  inTongue(certified, tag);
  translations?.markTexts(definition, tag);
  entitle();
  for (const id of ["title", "introduction"]) document.getElementById(id).textContent = definition[id];
  shaped(document.getElementById("introduction"));
  document.getElementById("by").textContent = BY.survey;
  below.replaceChildren(
    later(LATER.check, "check.js", ({ check }) => check(everyForm, place, survey.bytes, identity.digest, pinnedFiles())),
    ...(draft ? [] : [later(LATER.budget, "budget.js", ({ budget }) => budget(store))]));
}

async function start() {
  await speakOneOf(SPOKEN);
  if (!window.isSecureContext) {
    conclude(({ insecure }) => insecure());
    return;
  }
  if (draft) {
    preview = await loaded("preview.js");
    store = preview.store;
  }
  certified = await verifiedDefinition();
  if (certified === null) return;
  if (certified.invitations) {
    const module = await loaded("invitation.js");
    sayings.push(() => module.promised(certified));
    if (!draft) invited = module;
    // Without a token no tab asks anything.
    mine ||= !token;
  }
  for (const part of PARTS.filter((each) => certified[each])) (await loaded(`${part}.js`)).begin(certified, sayings);
  if (certified.consent || certified.sections || certified.questions.some(isLong)) {
    long = await loaded("long.js");
    long.begin(certified);
  }
  const tags = languagesOf(certified);
  if (tags.length > 1 || !isSpoken(tags[0])) translations = await loaded("translations.js");
  await speakOneOf(tags);
  read(preferred(tags));
  const changing = { stage, below, form: () => form, read, redraw };
  if (tags.length > 1) document.querySelector("header").before(translations.picker(tags, language, changing));
  if (self !== top && !draft && (await loaded("framed.js")).refuses(certified, sayings)) return;
  await proceed();
}

// Without a section before, Back leaves the page. Another link in this tab is another page. In a frame the outer page
// could learn from the history how many sections there were, and so about the answers, and whether the report was sent.
const { hash } = location;
window.addEventListener("popstate", () => {
  if (location.hash !== hash) location.reload();
  else if (self === top && history.state !== AHEAD && !form?.back()) history.back();
});
window.addEventListener("beforeunload", (event) => { if (isUnsent()) event.preventDefault(); });
// The browser must not store how far a person scrolled among the questions.
history.scrollRestoration = "manual";
// Keys scroll the focused element; in a preview the builder keeps the focus.
if (self === top) document.body.focus({ preventScroll: true });
if (window.isSecureContext) fetching = fetched();
start().catch((error) => {
  stuck();
  throw error;
});
