/** Asks how far the search is, about once a second, until it has ended. */

const PAUSE = 1_000;
const OFFLINE = 5_000;

/**
 * @param {string} address of the status
 * @param {() => string} have the stamp of what the page shows
 * @param {(status: SearchStatus | null) => Promise<void>} onAnswer null while the site does not answer
 */
export async function watch(address, have, onAnswer) {
  for (;;) {
    await rest(PAUSE);
    const status = await asked(`${address}?have=${have()}`);
    await onAnswer(status);
    if (status?.finished) return;
    if (!status) await rest(OFFLINE);
  }
}

/**
 * At least so long, and until somebody looks.
 * @param {number} duration in milliseconds
 */
async function rest(duration) {
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
async function asked(address) {
  try {
    const response = await fetch(address, { cache: "no-store" });
    return response.ok && !response.redirected ? await response.json() : null;
  } catch {
    return null;
  }
}
