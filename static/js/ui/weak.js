import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { questionLevel, questionLoss } from "../rr/strength.js";

// The warnings where a report can show more than a number says, by level (rr/strength.js). From level 1 on nothing
// that comforts stands beside them; surveys/strength_statements.py has the same statements.

const WARNINGS = [
  () => "",
  () => gettext("What is sent here can be a strong hint at your real answer."),
  () => gettext("What is sent here can give away much about your real answer."),
  () =>
    gettext(
      "What is sent here can give away very much about your real answer. It can make other answers next to impossible.",
    ),
];

/**
 * @param {number} level of a question or, for the weakest, of the survey
 */
export const warning = (level) => WARNINGS[level]();

/**
 * @param {Device[]} devices
 * @returns {number} of their question with the weakest protection
 */
export const levelOf = (devices) => questionLevel(questionLoss(devices));

/**
 * @param {Device[]} devices of a question whose report is drawn
 */
export const reportWarning = (devices) => warning(levelOf(devices));

/**
 * The notice beside a question, before it is answered.
 * @param {Question} question
 * @param {Device[]} devices
 */
export function notice({ reason }, devices) {
  const level = levelOf(devices);
  if (level === 0 && !reason) return null;
  const look = level > 1 ? "notice notice--warning" : "notice";
  const why = interpolate(gettext("The reason that the author gives: %(reason)s"), { reason });
  return el(
    "div",
    { class: look },
    level > 0 && el("p", {}, warning(level)),
    reason && el("p", { class: "author-text", dir: "auto" }, why),
  );
}
