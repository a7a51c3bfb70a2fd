// "Paste your link": check whether the log has this survey with the questions that this browser gets, and whether page
// and files match the manifest that the log names. Without this file the page explains how to run the verifier.

import { Wrong, base64, bytesOf, digestOf, hex, inclusionOf, readLog } from "./log.js";

const form = document.getElementById("lookup");
const verdict = document.getElementById("verdict");
const details = document.getElementById("lookup-details");

/** Return the slug after the # of a link, or after /s/ in a changed link. Some links lack https://. */
function slugOf(link) {
  const whole = /^https?:/i.test(link) ? link : `${location.protocol}//${link}`;
  const url = URL.canParse(whole) ? new URL(whole) : null;
  const known = [form.dataset.site, location.origin];
  if (!url || !known.includes(url.origin) || !url.pathname.startsWith("/s/")) throw new Wrong("link");
  const slug = url.pathname.split("/")[2] || url.hash.slice(1).split("/")[0];
  if (!/^[\w-]+$/.test(slug)) throw new Wrong("link");
  return slug;
}

/** Return the number of matching files. `named` are the manifests that the log names, the newest last. */
async function checkFiles(named) {
  const bytes = await bytesOf("/check/manifest.json");
  const served = named.lastIndexOf(hex(await digestOf("SHA-384", bytes)));
  if (served < 0) throw new Wrong("manifest");
  if (served < named.length - 1) throw new Wrong("replaced");
  const { document: page, files } = JSON.parse(new TextDecoder().decode(bytes));
  const each = await Promise.all(Object.entries({ ...page, ...files }).map(async ([path, integrity]) =>
    `sha384-${base64(await digestOf("SHA-384", await bytesOf(path)))}` === integrity));
  if (!each.every(Boolean)) throw new Wrong("files");
  return each.length;
}

async function lookUp(link) {
  const slug = slugOf(link);
  if (!crypto.subtle) throw new Wrong("insecure");
  const definition = await bytesOf("/respond/definition", "unknown", { "survey-link": slug });  // no URL names it
  const digest = hex(await digestOf("SHA-256", definition));
  const own = hex(await digestOf("SHA-256", new TextEncoder().encode(slug)));
  const log = await readLog();
  const index = log.entries.findIndex((entry) => entry.kind === "survey" && entry.link === own);
  if (index < 0) throw new Wrong("missing");
  const definitions = log.entries.filter((entry) => entry.kind === "survey" && entry.link === own);
  if (!definitions.every((entry) => entry.definition === digest)) throw new Wrong("definition");
  const manifests = log.entries.filter((entry) => entry.kind === "software").map((entry) => entry.manifest);
  const files = await checkFiles(manifests);
  return { ...log, index, digest, manifest: manifests.at(-1), files, proof: await inclusionOf(index, log.leaves) };
}

function render({ entries, index, digest, manifest, files, proof, root, isSigned }) {
  const values = {
    entry: `${index} / ${entries.length}`,
    day: entries[index].day,
    digest,
    manifest,
    files: String(files),
    root,
    signature: form.dataset[isSigned ? "signed" : "unsigned"],
    proof: proof.map(hex).join("\n"),
  };
  for (const [name, value] of Object.entries(values)) details.querySelector(`[data-value=${name}]`).textContent = value;
}

function say(code, state) {
  verdict.textContent = document.querySelector(`#sentences [data-code=${code}]`).textContent;
  verdict.dataset.state = state;
}

form.hidden = false;
document.getElementById("plain").hidden = true;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  details.hidden = true;
  say("working", "working");
  try {
    render(await lookUp(form.elements.link.value.trim()));
    details.hidden = false;
    say("right", "right");
  } catch (error) {
    const code = error instanceof Wrong ? error.code : "unreadable";
    say(code, ["link", "unknown", "unreachable", "insecure"].includes(code) ? "unchecked" : "wrong");
  }
});
