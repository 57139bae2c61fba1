/** Which questions belong together: the progress of an estimate, and the clusters to drag between. */

import { startBoard } from "../admin/clusters.js";
import { find, seek } from "../lib/find.js";
import { showParts } from "../search/parts.js";
import { watch } from "../search/watch.js";
import "./admin_page.js";

const run = seek(document, "#run", HTMLElement);
if (run?.dataset.finished === "no") watch(run.dataset.status ?? "", () => "", onAnswer);

const choices = seek(document, "[data-choices]", HTMLElement);
if (choices) startBoard(choices, announce);

/** @param {string} text */
function announce(text) {
  const place = find(document, "#announcement", HTMLElement);
  if (place.textContent !== text) place.textContent = text;
}

/** @param {SearchStatus | null} status */
async function onAnswer(status) {
  find(document, "#offline", HTMLElement).hidden = Boolean(status);
  if (!status) return;
  showParts(status.parts, () => {});
  announce(status.announcement);
  if (status.finished) location.reload();
}
