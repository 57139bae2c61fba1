/** Buttons that copy the table they name (`data-table`). */

import { around, find, findAll } from "../lib/find.js";
import { copyTable } from "./table.js";

const SAID_MS = 2_000;

/**
 * Shows the buttons below `root`, which need this script, and lets them copy.
 * @param {HTMLElement} root
 */
export function offerCopies(root) {
  const announcement = find(document, "#announcement", HTMLElement);
  for (const button of findAll(root, "button[data-action=copy]", HTMLButtonElement)) button.hidden = false;
  root.addEventListener("click", async (event) => {
    const button = around(event.target, "button[data-action=copy]", HTMLButtonElement);
    if (!button) return;
    const { table = "", done = "" } = button.dataset;
    try {
      await copyTable(find(root, `#${CSS.escape(table)}`, HTMLTableElement));
    } catch {
      find(document, "#action-failed", HTMLElement).hidden = false;
      return;
    }
    // A second click may come before the first has had its time.
    const label = button.dataset.label ??= button.textContent ?? "";
    button.textContent = done;
    announcement.textContent = done;
    setTimeout(() => { button.textContent = label; }, SAID_MS);
  });
}
