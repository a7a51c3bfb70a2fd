// Only one tab of a browser asks the same questions at a time, if the browser supports that. Other tabs see only a lock
// named after the questions' digest.

/**
 * Return the lock, which a tab keeps until it is left; null if another tab has it and this one may not wait; true if
 * the browser has no locks or refuses them.
 */
export function lock(digest, options = {}) {
  return new Promise((resolve, reject) => {
    navigator.locks.request(digest, options, (given) => {
      resolve(given);
      return given && new Promise((release) => { window.addEventListener("pagehide", release); });
    }).catch(reject);
  }).catch(() => true);
}
