// What this browser remembers about one survey: which form was drawn, where it has forms, and the finished report, until
// that is settled; then only that it was. Never an answer. A report is sent only after the disk has it, so a browser
// that is killed at any moment finds it again and sends the same bytes, or was killed before anything was sent. Where
// the browser refuses storage, the page remembers for as long as it stays open, and does not know what was before.

const NAME = "deniable";
const KEPT = "kept";
// Ms before each further try.
const PAUSES = [200, 800];
// Ms: some storage never answers.
const PATIENCE = 5000;
// Trying again is of no use.
const HOPELESS = ["SecurityError", "ReferenceError", "TypeError", "TimeoutError"];
// Beside the records, under keys that no address has: what was sent, and that this device keeps no list of it.
export const UNLISTED = "/shared";
const SENT = "/sent/";
// Under keys that neither an address nor these have: which form of a definition was drawn.
const FORM_KEY = ":form/";

/**
 * The memory for the survey `own`, {slug, digest, earlier}, shared by all tabs of this browser; the digest is empty until it
 * is known. The same definition at another address is the same survey; of earlier versions the receipts count, by their
 * slugs. A record is {slug, digest, body}, a report still to be delivered, with what invitation.js needs for it, or {slug,
 * digest, outcome, status, used}, a receipt with the outcome "recorded", or "refused" and why, and the mark of the invitation
 * that was used.
 */
export function openStore(own) {
  const channel = shared();
  // As far as is known.
  let lasting = true;
  // The page's own memory of what could not be kept.
  let record = null;
  // And of which form it asks.
  let form = null;

  /** What action(the object store) gives, tried again where storage fails for a moment; where it fails for good, instead(). */
  async function remembered(action, instead) {
    for (const pause of [...PAUSES, null]) {
      try {
        const value = await Promise.race([transact(action), timeout()]);
        lasting = true;
        return value;
      } catch (error) {
        if (pause === null || HOPELESS.includes(error?.name)) break;
        await after(pause);
      }
    }
    lasting = false;
    return instead();
  }
  /** The record of this survey or null; a report that waits comes before a receipt. undefined where nobody can know. */
  async function current() {
    return record ?? remembered((kept) => recorded(kept, own), () => undefined);
  }
  /**
   * Keep a finished report, and more of it, unless this browser has a record; then the report is dropped, and nobody has
   * seen it. The record that there is now. Transactions that write come one after the other, also those of different tabs,
   * so of two reports one is kept.
   */
  async function claim(body, more) {
    const mine = { ...own, body, ...more };
    const now = await remembered(async (kept) => {
      const before = await recorded(kept, own);
      if (before === null) kept.put(mine);
      return before ?? mine;
    }, () => (record ??= mine));
    tell();
    return now;
  }
  /**
   * The report is settled: the receipt takes the place of its bytes, but not of another report's, and in the same step
   * what it has cost, `spent`, comes onto the list, once.
   */
  async function settle({ slug, digest, body }, outcome, spent) {
    const receipt = { slug, digest, ...outcome };
    await remembered(async (kept) => {
      const now = await answer(kept.get(slug));
      if (now?.body === undefined || now.body === body) kept.put(receipt);
      kept.delete(FORM_KEY + digest);
      const list = await listed(kept);
      if (now?.body === body && list !== null) kept.put({ slug: `${SENT}${list.length + 1}`, ...spent });
    }, () => { record = receipt; });
    if (record !== null) record = receipt;
    tell();
  }
  /**
   * The form that this browser asks: the one that was drawn first, else the one with this place, which is kept for all
   * tabs and visits until somebody else answers. What transactions write comes one after the other, so all get the same.
   */
  async function keepForm(place) {
    const slug = FORM_KEY + own.digest;
    const keep = async (kept) => {
      const before = await answer(kept.get(slug));
      if (before === undefined) kept.put({ slug, form: place });
      return before?.form ?? place;
    };
    // Nobody waits for a storage that has failed.
    form ??= lasting ? await remembered(keep, () => place) : place;
    return form;
  }
  /**
   * Somebody else wants to answer on this device, or this version too. The receipts of earlier versions stay for those, which
   * are asked again where this one ends first; only this page looks for them no more.
   */
  function forgetReceipt() {
    form = null;
    delete own.earlier;
    return remembered(async (kept) => {
      for (const { slug, body } of await same(kept, own)) if (body === undefined) kept.delete(slug);
      kept.delete(FORM_KEY + own.digest);
    }, () => { record = null; });
  }
  /** A tab that shares nothing has nothing to tell. */
  function tell() {
    if (lasting) channel?.postMessage(own);
  }
  /** Call back when another tab has started or finished sending. */
  function onChange(callback) {
    channel?.addEventListener("message", ({ data }) => {
      if (data.slug === own.slug || data.digest === own.digest) callback();
    });
  }
  return { remembered, current, claim, settle, keepForm, forgetReceipt, onChange, get lasting() { return lasting; } };
}

/** What all tabs of this browser hear, or null where it has no such thing, or refuses it as it refuses to keep anything. */
function shared() {
  try {
    return new BroadcastChannel(NAME);
  } catch {
    return null;
  }
}

/** The value of action(the object store), once all that it wrote is on the disk; an error if nothing is. */
async function transact(action) {
  const database = await opened();
  try {
    const transaction = database.transaction(KEPT, "readwrite", { durability: "strict" });
    const [value] = await Promise.all([action(transaction.objectStore(KEPT)), completed(transaction)]);
    return value;
  } finally {
    database.close();
  }
}

function opened() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(KEPT, { keyPath: "slug" }).createIndex("digest", "digest");
  };
  return answer(request);
}

function after(time) {
  return new Promise((resolve) => {
    setTimeout(resolve, time);
  });
}

async function timeout() {
  await after(PATIENCE);
  throw new DOMException("", "TimeoutError");
}

function completed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}

/** What a request of the database gives. */
export function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** What this browser has sent, of every survey that was settled here, or null where the device keeps no list. */
export async function listed(kept) {
  const all = await answer(kept.getAll(beside()));
  return all.some(({ slug }) => slug === UNLISTED) ? null : all;
}

/** All keys that begin with a slash, which no address does. */
export function beside() {
  return IDBKeyRange.bound("/", "0", false, true);
}

async function recorded(kept, own) {
  const records = await same(kept, own);
  return records.find(({ body }) => body !== undefined) ?? records[0] ?? null;
}

/** The records of this address, then those of the same definition at others, then receipts of earlier versions. */
async function same(kept, { slug, digest, earlier = [] }) {
  const [elsewhere, here, ...older] = await Promise.all(
    [kept.index("digest").getAll(digest), ...[slug, ...earlier].map((each) => kept.get(each))].map(answer));
  return [here, ...elsewhere, ...older.filter((record) => !record?.body)].filter(Boolean);
}
