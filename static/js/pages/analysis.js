/** The page of one analysis: its figures and their downloads, copying of tables, and waiting for its fit. */

import { around, find, findAll, read, seek } from "../lib/find.js";
import { offerCopies } from "../results/copying.js";
import { drawFigures, redrawOnChange } from "../results/draw.js";
import { savePicture } from "../results/picture.js";

const SHORTEST_MS = 1_000;
const LONGEST_MS = 20_000;

const root = find(document, "#analysis", HTMLElement);

/**
 * @param {Record<string, Figure>} figures
 * @param {FigureSettings} settings
 * @param {Where} [where]
 */
async function drawAll(figures, settings, where) {
  await drawFigures(findAll(root, "[data-figure]", HTMLElement), figures, settings, where);
  root.dataset.drawn = "yes";
}

function showFigures() {
  /** @type {Record<string, Figure>} */
  const figures = read("figures");
  /** @type {FigureSettings} */
  const settings = read("figure-settings");
  root.addEventListener("click", async (event) => {
    const button = around(event.target, "button[data-action=picture]", HTMLButtonElement);
    if (!button) return;
    try {
      await savePicture(button.dataset, figures, root.dataset);
    } catch {
      find(document, "#action-failed", HTMLElement).hidden = false;
    }
  });
  redrawOnChange((where) => drawAll(figures, settings, where));
  return drawAll(figures, settings);
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
if (seek(document, "#figures", HTMLElement)) await showFigures();
