/** Parts of the page that are loaded later: inert links name their files and hashes. */

/**
 * Loads one part, as bytes first: a browser never retries a module that failed to load.
 * @template Module
 * @param {string} part
 * @param {() => Promise<Module>} load its import
 * @returns {Promise<Module>}
 */
export async function late(part, load) {
  /** @type {HTMLLinkElement[]} */
  const links = Array.from(document.querySelectorAll(`link[data-part~="${part}"]`));
  // Without a hash in the page no module runs.
  if (links.length === 0) throw new Error(part);
  // A link with a `rel` was loaded with the page.
  const missing = links.filter(({ rel }) => !rel);
  await Promise.all(missing.map(fetchBytes));
  missing.forEach((link) => (link.rel = link.dataset.rel ?? "modulepreload"));
  return load();
}

/** @type {Need} */
export const need = (needed, part, load) => (needed ? late(part, load) : undefined);

/** @param {HTMLLinkElement} link */
async function fetchBytes({ href, integrity }) {
  const answer = await fetch(href, { integrity });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  await answer.arrayBuffer();
}

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
