/** A page that waits for a worker: it looks by itself, less and less often. */

import { seek } from "../lib/find.js";

const SHORTEST_MS = 1_000;
const LONGEST_MS = 20_000;

/** Loads the page again once what stands as #waiting is done; does nothing where nothing waits. */
export function waitForWorker() {
  if (!seek(document, "#waiting", HTMLElement)) return;
  let pause = SHORTEST_MS;
  setTimeout(async function look() {
    try {
      const response = await fetch(location.href, { cache: "no-cache" });
      const newer = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!response.ok || response.redirected || !seek(newer, "#waiting", HTMLElement)) {
        location.reload();
        return;
      }
      showProgress(newer);
    } catch {
      // Offline for a while: the next look may succeed.
    }
    pause = Math.min(pause * 1.5, LONGEST_MS);
    setTimeout(look, pause);
  }, pause);
}

/** @param {Document} newer */
function showProgress(newer) {
  const shown = seek(document, "#progress", HTMLProgressElement);
  const current = seek(newer, "#progress", HTMLProgressElement);
  if (shown && current) shown.value = current.value;
}
