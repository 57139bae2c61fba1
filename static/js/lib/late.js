/**
 * Parts of the page that are loaded after it. The page names their files with their hashes, in
 * links that do nothing until their turn has come.
 */

/**
 * Loads one part. `load` is its import, written out where the page's own files are known.
 * As bytes first: a module that could not be loaded is remembered for as long as a page is open, so
 * none is asked for before its file is here.
 */
export async function late(part, load) {
  const links = [...document.querySelectorAll(`link[data-part="${part}"]`)];
  await Promise.all(links.map(bytes));
  links.forEach((link) => (link.rel = link.dataset.rel ?? "modulepreload"));
  return load();
}

async function bytes({ href, integrity }) {
  const answer = await fetch(href, { integrity });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  await answer.arrayBuffer();
}

const PAUSE_MS = 5000;

/** Tries until it works: again after a while, with a connection, or at the "now" event of `nudge`. */
export async function persistently(work, nudge) {
  for (;;) {
    try {
      return await work();
    } catch {
      await pause(PAUSE_MS, nudge);
    }
  }
}

/** Waits, but no longer than until there is a connection or somebody asks for it. */
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
