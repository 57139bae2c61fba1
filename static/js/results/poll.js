/**
 * Polls the status: soon after a change, less and less often without one, and not while the page is
 * hidden.
 */

const SHORTEST_MS = 2_000;
const LONGEST_MS = 30_000;
const OFFLINE_MS = 60_000;

/** The session ended, or the user may no longer see the results. */
export class SignedOutError extends Error {}

/**
 * @param {string} address of status.json
 * @param {(status: ResultsStatus | null, error: unknown) => Promise<boolean>} onAnswer resolves to
 *     whether anything has changed or, after an error, whether to give up
 * @returns {{stop: () => void}}
 */
export function pollStatus(address, onAnswer) {
  let pause = SHORTEST_MS;
  let timer = 0;
  let running = false;

  async function poll() {
    if (running || document.hidden) return;
    running = true;
    try {
      const changed = await onAnswer(await fetchStatus(address), null);
      pause = changed ? SHORTEST_MS : Math.min(pause * 1.5, LONGEST_MS);
    } catch (error) {
      pause = Math.min(pause * 2, OFFLINE_MS);
      if (await onAnswer(null, error)) return;
    } finally {
      running = false;
    }
    schedule(pause);
  }

  /** @param {number} delay */
  function schedule(delay) {
    clearTimeout(timer);
    timer = setTimeout(poll, delay);
  }

  function onVisibility() {
    clearTimeout(timer);
    pause = SHORTEST_MS;
    if (!document.hidden) poll();
  }

  document.addEventListener("visibilitychange", onVisibility);
  window.addEventListener("online", onVisibility);
  schedule(pause);
  return {
    stop() {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("online", onVisibility);
    },
  };
}

/**
 * @param {string} address
 * @returns {Promise<ResultsStatus>}
 */
async function fetchStatus(address) {
  // The browser asks with its ETag and takes its own copy when nothing has changed (304).
  const response = await fetch(address, { cache: "no-cache", headers: { Accept: "application/json" } });
  if (response.redirected || response.status === 404) throw new SignedOutError(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}
