/** The survey's change page: question cards, and the panel beside each epsilon. */

import { startErrors } from "../admin/errors.js";
import { showAsStored } from "../admin/text_fields.js";
import { askBeforeLeaving } from "../admin/unsaved.js";
import { find, seek } from "../lib/find.js";
import { sendOnce } from "./admin_forms.js";
import { startPanels } from "./admin_panel.js";
import { startCards } from "./admin_questions.js";

const questions = seek(document, "[data-questions]", HTMLElement);
if (questions) {
  const panels = startPanels(questions);
  startCards(questions, panels.changed);
  panels.changed();
}
sendOnce(document);
showAsStored(document);
askBeforeLeaving(find(document, "#survey_form", HTMLFormElement));
startErrors(document);
nameSearchBox(seek(document, ".field-researchers", HTMLElement));

/**
 * Names the search box of Select2, which has no name and is created later.
 * @param {HTMLElement | null} row
 */
function nameSearchBox(row) {
  if (!row) return;
  const name = () => {
    const box = row.querySelector(".select2-search__field:not([aria-label])");
    box?.setAttribute("aria-label", find(row, "label", HTMLElement).textContent.trim());
  };
  new MutationObserver(name).observe(row, { childList: true, subtree: true });
  name();
}
