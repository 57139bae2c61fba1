/** The page of one analysis: its figures and their downloads, copying of tables, and waiting for its fit. */

import { around, find, findAll, read, seek } from "../lib/find.js";
import { offerCopies } from "../results/copying.js";
import { explorer } from "../results/explore.js";

const SHORTEST_MS = 1_000;
const LONGEST_MS = 20_000;

const root = find(document, "#analysis", HTMLElement);

function offerFigures() {
  /** @type {Record<string, Figure>} */
  const figures = read("figures");
  const failed = () => { find(document, "#action-failed", HTMLElement).hidden = false; };
  const { plotly: library = "" } = root.dataset;
  const dialog = explorer({ settings: read("figure-settings"), library, page: root.dataset }, async () => figures, failed);
  for (const part of findAll(root, ".explore", HTMLElement)) part.hidden = false;
  root.addEventListener("click", async (event) => {
    const button = around(event.target, "button[data-action=explore]", HTMLButtonElement);
    if (!button) return;
    const { key = "", title = "" } = button.dataset;
    try {
      await dialog.open(key, title);
    } catch {
      failed();
    }
  });
}

/** Looks again and again, less and less often, until a worker has come to it. */
function waitForFit() {
  let pause = SHORTEST_MS;
  setTimeout(async function look() {
    try {
      const response = await fetch(location.href, { cache: "no-cache" });
      const newer = new DOMParser().parseFromString(await response.text(), "text/html");
      if (!response.ok || response.redirected || !seek(newer, "#waiting", HTMLElement)) {
        location.reload();
        return;
      }
    } catch {
      // Offline for a while: the next look may succeed.
    }
    pause = Math.min(pause * 1.5, LONGEST_MS);
    setTimeout(look, pause);
  }, pause);
}

if (seek(document, "#waiting", HTMLElement)) waitForFit();
if (seek(document, "#coefficients", HTMLElement)) offerCopies(root);
if (seek(document, "#figures", HTMLElement)) offerFigures();
