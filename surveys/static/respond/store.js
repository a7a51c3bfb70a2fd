// What this browser remembers about one survey: the finished report until it is acknowledged, then that it was.
// Never an answer. Where the browser forbids storage, the page remembers for as long as it stays open.

const TABS_AGREE_MS = 300;

/**
 * The memory for the survey `slug`, shared by all tabs of this browser.
 * pending() is the exact body still to be delivered or null; receipt() is {digest, outcome} or null, outcome
 * "recorded" or "refused". `lasting` is false when all is forgotten with the page.
 */
export function openStore(slug) {
  const pendingKey = `deniable/${slug}/pending`;
  const receiptKey = `deniable/${slug}/receipt`;
  const { memory, lasting } = usableStorage();

  const pending = () => memory.getItem(pendingKey);
  const receipt = () => parsed(memory.getItem(receiptKey));

  /**
   * Draw and keep a report, unless this browser has one. Two tabs may send at the same moment, and a second
   * draw would weaken the protection. The lock puts them in order; but what the earlier one wrote may reach the
   * later one's process after the lock does, so the later one looks only when that is surely over.
   */
  function claim(draw) {
    return locked(async () => {
      await new Promise((resolve) => setTimeout(resolve, TABS_AGREE_MS));
      if (pending() === null && receipt() === null) memory.setItem(pendingKey, draw());
    });
  }
  /** The report `body` is settled: forget its bytes, unless another one took their place; keep the outcome. */
  function settle(body, digest, outcome) {
    return locked(() => {
      if (pending() === body) memory.removeItem(pendingKey);
      memory.setItem(receiptKey, JSON.stringify({ digest, outcome }));
    });
  }
  /** Somebody else wants to answer on this device. */
  function forgetReceipt() {
    return locked(() => memory.removeItem(receiptKey));
  }
  /** Call back when another tab has started or finished sending. */
  function onChange(callback) {
    window.addEventListener("storage", (event) => {
      const written = event.newValue !== null;
      if (written && (event.key === pendingKey || event.key === receiptKey)) callback();
    });
  }
  function locked(action) {
    if (!navigator.locks) return Promise.resolve().then(action);
    return navigator.locks.request(`deniable/${slug}`, action);
  }
  return { pending, receipt, claim, settle, forgetReceipt, onChange, lasting };
}

function usableStorage() {
  try {
    localStorage.setItem("deniable/probe", "");
    localStorage.removeItem("deniable/probe");
    return { memory: localStorage, lasting: true };
  } catch {
    return { memory: pageMemory(), lasting: false };
  }
}

function pageMemory() {
  const items = new Map();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => { items.set(key, value); },
    removeItem: (key) => { items.delete(key); },
  };
}

/** A receipt this page did not write is no receipt. */
function parsed(text) {
  try {
    const { digest, outcome } = JSON.parse(text);
    return { digest, outcome };
  } catch {
    return null;
  }
}
