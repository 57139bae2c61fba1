/** The survey's change page: question cards, and the panel beside each epsilon. */

import { startErrors } from "../admin/errors.js";
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
askBeforeLeaving(find(document, "#survey_form", HTMLFormElement));
startErrors(document);
nameSearchBox(seek(document, ".field-researchers", HTMLElement));

/**
 * Select2 gives its search box no name of its own, and makes it at a time of its own.
 * @param {HTMLElement | null} place
 */
function nameSearchBox(place) {
  if (!place) return;
  const name = () => {
    const box = place.querySelector(".select2-search__field:not([aria-label])");
    box?.setAttribute("aria-label", find(place, "label", HTMLElement).textContent.trim());
  };
  new MutationObserver(name).observe(place, { childList: true, subtree: true });
  name();
}
