/** Parts of the page that come after it: it names their files and hashes, in links without effect. */

/**
 * Loads one part; `load` is its import. As bytes first: a browser remembers for good that a module
 * could not be loaded, so none is asked for before its file is here. What has a `rel` came with the page.
 * @template Module
 * @param {string} part
 * @param {() => Promise<Module>} load
 * @returns {Promise<Module>}
 */
export async function late(part, load) {
  /** @type {HTMLLinkElement[]} */
  const links = Array.from(document.querySelectorAll(`link[data-part~="${part}"]`));
  // Nothing is run whose hash the page does not name.
  if (links.length === 0) throw new Error(part);
  const missing = links.filter(({ rel }) => !rel);
  await Promise.all(missing.map(bytes));
  missing.forEach((link) => (link.rel = link.dataset.rel ?? "modulepreload"));
  return load();
}

/** @param {HTMLLinkElement} link */
async function bytes({ href, integrity }) {
  const answer = await fetch(href, { integrity });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  await answer.arrayBuffer();
}

/**
 * Waits, but no longer than until there is a connection or the "now" event of `nudge`.
 * @param {number} length in milliseconds
 * @param {EventTarget} nudge
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
