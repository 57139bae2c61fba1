/** Polls the progress of a search, about once a second, until it has ended. */

const INTERVAL_MS = 1_000;
const OFFLINE_MS = 5_000;

/**
 * @param {string} address of the status
 * @param {() => string} stampOf gives the stamp of the page
 * @param {(status: SearchStatus | null) => Promise<void>} onAnswer null while the site does not answer
 */
export async function watch(address, stampOf, onAnswer) {
  for (;;) {
    await pause(INTERVAL_MS);
    const status = await fetchStatus(`${address}?have=${stampOf()}`);
    await onAnswer(status);
    if (status?.finished) return;
    if (!status) await pause(OFFLINE_MS);
  }
}

/**
 * @param {number} duration in milliseconds; longer while the page is hidden
 */
async function pause(duration) {
  await new Promise((resolve) => setTimeout(resolve, duration));
  if (!document.hidden) return;
  await new Promise((resolve) =>
    document.addEventListener("visibilitychange", resolve, { once: true }),
  );
}

/**
 * @param {string} address
 * @returns {Promise<SearchStatus | null>}
 */
async function fetchStatus(address) {
  try {
    const response = await fetch(address, { cache: "no-store" });
    return response.ok && !response.redirected ? await response.json() : null;
  } catch {
    return null;
  }
}
