/** The survey's change page: question cards, and the panel beside each epsilon. */

import { sendOnce } from "./admin_forms.js";
import { startPanels } from "./admin_panel.js";
import { startCards } from "./admin_questions.js";

const questions = document.querySelector("[data-questions]");
if (questions) {
  const panels = startPanels(questions);
  startCards(questions, panels.changed);
  panels.changed();
}
sendOnce(document);
