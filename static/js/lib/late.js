/** @type {Need} */
export const need = (needed, load) => (needed ? load() : undefined);

/**
 * @param {number} length in milliseconds; shorter when the connection comes back
 * @param {EventTarget} nudge its "now" event ends the pause
 * @returns {Promise<void>}
 */
export function pause(length, nudge) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      nudge.removeEventListener("now", done);
      resolve();
    };
    const timer = setTimeout(done, length);
    addEventListener("online", done);
    nudge.addEventListener("now", done);
  });
}

const RETRY_MS = 5000;

/**
 * Loads something until it is here.
 * @template Found
 * @param {() => Promise<Found>} load
 * @param {() => void} say called after each try that failed
 * @param {EventTarget} nudge its "now" event ends a pause
 * @returns {Promise<Found>}
 */
export async function insist(load, say, nudge) {
  for (;;) {
    try {
      return await load();
    } catch {
      say();
      await pause(RETRY_MS, nudge);
    }
  }
}
