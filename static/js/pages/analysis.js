/** The page of one analysis: its figures and their downloads, copying of tables, and waiting for its fit. */

import { around, find, findAll, read, seek } from "../lib/find.js";
import { offerCopies } from "../results/copying.js";
import { explorer } from "../results/explore.js";
import { waitForWorker } from "../results/wait.js";

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

waitForWorker();
if (seek(document, "#coefficients", HTMLElement)) offerCopies(root);
if (seek(document, "#figures", HTMLElement)) offerFigures();
