import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { questionLevel, questionLoss } from "../rr/strength.js";

// Where what is sent can give much away (rr/strength.js says when), nothing says that it cannot.

const HERE = [
  () => "",
  () => gettext("What is sent here can be a strong hint at your real answer."),
  () => gettext("What is sent here can give away much about your real answer."),
  () =>
    gettext(
      "What is sent here can give away very much about your real answer: it can make other answers next to impossible.",
    ),
];

/**
 * Of one question or, for the level of the weakest, of the survey.
 * @param {number} level
 */
export const here = (level) => HERE[level]();

/**
 * Of the question among these devices that has the weakest protection.
 * @param {Device[]} devices
 */
export const levelOf = (devices) => questionLevel(questionLoss(devices));

/**
 * Beside the report of a question, once it is drawn.
 * @param {Device[]} devices
 */
export const after = (devices) => here(levelOf(devices));

/**
 * Beside a question, before it is answered; null where the numbers say enough.
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
    level > 0 && el("p", {}, here(level)),
    reason && el("p", { class: "author-text" }, why),
  );
}

/**
 * How the two quick questions help; `told` is said with every answer to them.
 * @param {number} level
 * @returns {QuizHelp}
 */
export function help(level) {
  if (level < 2) return { told: here(level) };
  const again = gettext("They can: chance changes some answers. Look at the circles again, or choose once more.");
  return { same: gettext("Right."), different: again, told: here(level) };
}
