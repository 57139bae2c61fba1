/** The page of one analysis: its figures and their downloads, and waiting for its fit. */

import { around, find, findAll, read, seek } from "../lib/find.js";
import { drawFigures, redrawOnChange } from "../results/draw.js";
import { savePicture } from "../results/picture.js";
import { waitForWorker } from "../results/wait.js";

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

waitForWorker();
if (seek(document, "#figures", HTMLElement)) await showFigures();
