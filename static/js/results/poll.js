/**
 * Asks for the status again and again: soon after a change, ever more rarely while nothing happens,
 * and not at all while nobody looks.
 */

const SOON = 2_000;
const SELDOM = 30_000;
const OFFLINE = 60_000;

/** The session ended or the results are no longer ours to see. */
export class SignedOutError extends Error {}

/**
 * @param {string} address of status.json
 * @param {(status: ResultsStatus | null, error: unknown) => Promise<boolean>} onAnswer resolves to
 *     whether anything has changed or, after an error, whether to give up
 * @returns {{stop: () => void}}
 */
export function pollStatus(address, onAnswer) {
  let pause = SOON;
  let timer = 0;
  let running = false;

  async function turn() {
    if (running || document.hidden) return;
    running = true;
    try {
      const changed = await onAnswer(await fetchStatus(address), null);
      pause = changed ? SOON : Math.min(pause * 1.5, SELDOM);
    } catch (error) {
      pause = Math.min(pause * 2, OFFLINE);
      if (await onAnswer(null, error)) return;
    } finally {
      running = false;
    }
    schedule(pause);
  }

  /** @param {number} delay */
  function schedule(delay) {
    clearTimeout(timer);
    timer = setTimeout(turn, delay);
  }

  function onVisibility() {
    clearTimeout(timer);
    pause = SOON;
    if (!document.hidden) turn();
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
