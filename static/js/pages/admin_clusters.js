/** Which questions belong together: the progress of an estimate, and the clusters to drag between. */

import { find, seek } from "../lib/find.js";
import { showParts } from "../search/parts.js";
import { watch } from "../search/watch.js";
import "./admin_page.js";

const run = seek(document, "#run", HTMLElement);
if (run?.dataset.finished === "no") watch(run.dataset.status ?? "", () => "", onAnswer);

/** @param {SearchStatus | null} status */
async function onAnswer(status) {
  find(document, "#offline", HTMLElement).hidden = Boolean(status);
  if (!status) return;
  showParts(status.parts, () => {});
  const announcement = find(document, "#announcement", HTMLElement);
  if (announcement.textContent !== status.announcement) announcement.textContent = status.announcement;
  if (status.finished) location.reload();
}
