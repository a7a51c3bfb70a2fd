// The browser's memory of one survey: the drawn form, if there are forms, and the finished report until it is settled;
// then only a receipt. Never an answer. A report is sent only after it is on the disk. So a browser that is killed at
// any moment either finds it again and sends the same bytes, or has sent nothing. If the browser refuses storage, the
// page remembers only while it is open.

const NAME = "deniable";
const KEPT = "kept";
// Milliseconds before each further try.
const PAUSES = [200, 800];
// Milliseconds: some storage never answers.
const PATIENCE = 5000;
// Errors after which a further try is useless.
const HOPELESS = ["SecurityError", "ReferenceError", "TypeError", "TimeoutError"];
// Keys beside the records, which no link has: this device keeps no list; and what was sent.
export const UNLISTED = "/shared";
const SENT = "/sent/";
// Keys that neither links nor these have: the drawn form of a definition.
const FORM_KEY = ":form/";

/**
 * Return the memory for the survey `own`, {slug, digest, earlier}, shared by all tabs of this browser; the digest is
 * empty until it is known. The same definition at another link is the same survey; receipts of earlier versions, found
 * by slug, count, too. A record is {slug, digest, body}, a report to deliver, with data for invitation.js, or {slug,
 * digest, outcome, status, used}, a receipt with the outcome "recorded", or "refused" and the status, and the used
 * invitation's mark.
 */
export function openStore(own) {
  const channel = shared();
  // As far as is known.
  let lasting = true;
  // The page's own memory of a record that could not be stored.
  let record = null;
  // And of the form that it asks.
  let form = null;

  /** Return the result of action(object store), tried again if storage fails briefly; instead() if it fails for good. */
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
  /** Return the record of this survey or null, a report before a receipt; undefined without an answer. */
  async function current() {
    return record ?? remembered((kept) => recorded(kept, own), () => undefined);
  }
  /**
   * Store a finished report, with `more`, unless this browser has a record; then drop the report, which no one has
   * seen. Return the stored record. Tabs write one after the other, so only one of two reports is stored.
   */
  async function claim(body, more) {
    const mine = { ...own, body, ...more };
    const now = await remembered(async (kept) => {
      const before = await recorded(kept, own);
      if (before === null) kept.put(mine);
      return before ?? mine;
    }, () => (record ??= mine));
    notify();
    return now;
  }
  /**
   * Replace the bytes of a settled report, and of no other, by the receipt. The same step adds its cost, `spent`, to
   * the list, once.
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
    notify();
  }
  /**
   * Return the form that this browser asks: the first one drawn, else `place`, which is stored for all tabs and visits
   * until another person answers. Transactions come one by one, so all tabs get the same.
   */
  async function keepForm(place) {
    const slug = FORM_KEY + own.digest;
    const keep = async (kept) => {
      const before = await answer(kept.get(slug));
      if (before === undefined) kept.put({ slug, form: place });
      return before?.form ?? place;
    };
    // Do not wait for storage that has failed.
    form ??= lasting ? await remembered(keep, () => place) : place;
    return form;
  }
  /**
   * Another person wants to answer on this device, or the same person also this version. Receipts of earlier versions
   * stay, because those may be asked again if this one ends first; only this page ignores them from now on.
   */
  function forgetReceipt() {
    form = null;
    delete own.earlier;
    return remembered(async (kept) => {
      for (const { slug, body } of await same(kept, own)) if (body === undefined) kept.delete(slug);
      kept.delete(FORM_KEY + own.digest);
    }, () => { record = null; });
  }
  /** Notify the other tabs, unless this tab shares nothing. */
  function notify() {
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

/** Return the channel of all tabs of this browser; null if it has none or refuses it. */
function shared() {
  try {
    return new BroadcastChannel(NAME);
  } catch {
    return null;
  }
}

/** Return the value of action(object store) after its writes are on the disk; fails if they are not. */
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

/** Return a promise of a database request's result. */
export function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Return the list of reports that this browser has sent; null if the device keeps no list. */
export async function listed(kept) {
  const all = await answer(kept.getAll(beside()));
  return all.some(({ slug }) => slug === UNLISTED) ? null : all;
}

/** Return the range of keys that begin with a slash, unlike links. */
export function beside() {
  return IDBKeyRange.bound("/", "0", false, true);
}

async function recorded(kept, own) {
  const records = await same(kept, own);
  return records.find(({ body }) => body !== undefined) ?? records[0] ?? null;
}

/** Return the records of this link, then of the same definition at others, then earlier versions' receipts. */
async function same(kept, { slug, digest, earlier = [] }) {
  const [elsewhere, here, ...older] = await Promise.all(
    [kept.index("digest").getAll(digest), ...[slug, ...earlier].map((each) => kept.get(each))].map(answer));
  return [here, ...elsewhere, ...older.filter((record) => !record?.body)].filter(Boolean);
}
