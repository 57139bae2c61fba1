import { button, el, freshId, prefersReducedMotion, svg } from "../lib/dom.js";
import { formatList, gettext, interpolate } from "../lib/i18n.js";
import { drawReport } from "../rr/device.js";
import { systemBytes } from "../rr/random.js";
import { cell } from "./frequencies.js";
import { radios } from "./radios.js";

// What follows a draw of the practice: a crowd, the one sentence that matters, and two questions for those who
// unfold them. Whoever goes past the practice does not load it.

const CROWD = 50;
const MOST_LETTERS = 2;

/**
 * @param {Question} question
 * @param {Device} device
 * @param {Truth} truth
 * @param {number} code that was drawn
 * @param {SurveyParameters} parameters
 * @param {Parts} parts
 * @returns {Node[]}
 */
export const practised = (question, device, truth, code, parameters, parts) => [
  ...crowd(device, truth, code),
  el("p", { class: "practice__lesson" }, lesson(question, device, parts)),
  el("details", {}, el("summary", {}, gettext("Two quick questions")), ...quiz(parameters, parts.plainLookOf(device), parts)),
];

/**
 * People who give the same answer, one after the other, and what chance sends for them.
 * @param {Device} device
 * @param {Truth} truth
 * @param {number} code the first of them, which was drawn already
 */
function crowd(device, truth, code) {
  const others = Array.from({ length: CROWD - 1 }, () => Number(drawReport(device, truth, systemBytes)));
  const codes = [code, ...others];
  const cells = codes.map(cell);
  if (!prefersReducedMotion()) {
    cells.forEach((node, i) =>
      node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 150, delay: 20 * i, fill: "backwards" }),
    );
  }
  const picture = svg("svg", { viewBox: "0 0 200 100", class: "array", "aria-hidden": "true" }, ...cells);
  return [picture, el("p", {}, crowdWords(device, codes))];
}

/**
 * @param {Device} device
 * @param {number[]} codes
 */
function crowdWords({ reports }, codes) {
  const counts = reports
    .map((letter, u) => ({ letter, count: codes.filter((code) => code === u).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const shown = counts.length > MOST_LETTERS + 1 ? counts.slice(0, MOST_LETTERS) : counts;
  const rest = counts.slice(shown.length).reduce((sum, { count }) => sum + count, 0);
  const parts = shown.map((values) => interpolate(gettext("%(count)s times %(letter)s"), values));
  if (rest) parts.push(interpolate(gettext("%(count)s times another one"), { count: rest }));
  const text = gettext("If %(people)s people answered like you, for example: %(parts)s.");
  return interpolate(text, { people: CROWD, parts: formatList(parts) });
}

/**
 * The one sentence that matters: true for every question of the survey, the weakest included.
 * @param {Question} question
 * @param {Device} device
 * @param {Parts} parts
 */
function lesson(question, device, { rare, weak, level, plainLookOf }) {
  const noProof = rare?.identifyingReports(question, device) ? "" : plainLookOf(device).words.noProof;
  // That nothing is proved, or else what can be seen: never both.
  const comfort = rare && noProof ? rare.noProof(level) : level < 1 ? noProof : "";
  return join(comfort, weak?.warning(level), gettext("From many of them we work out how many people gave each answer."));
}

/** @param {...(string | undefined)} texts */
const join = (...texts) => texts.filter(Boolean).join(" ");

/**
 * Two questions with help and another try; no answer is stored or needed to go on.
 * @param {SurveyParameters} parameters
 * @param {Look} look
 * @param {Parts} parts
 */
export function quiz(parameters, { words }, { rare, weak, level }) {
  /** @type {QuizHelp} */
  const help = { ...(weak ? weakHelp(level, weak.warning(level)) : {}), ...rare?.help() };
  const items = [sameCodeItem(words, help), realAnswerItem(parameters, help, !rare)];
  const check = button(gettext("Check"), () => items.forEach(({ check }) => check()));
  return [...items.map(({ node }) => node), check];
}

/**
 * What is said where what is sent can be a strong hint.
 * @param {number} level
 * @param {string} always
 * @returns {QuizHelp}
 */
function weakHelp(level, always) {
  if (level < 1) return {};
  const right = gettext("Right.");
  const different = gettext("They can: chance changes some answers. Choose once more.");
  const wrong = gettext("We see only the letter that is sent. Choose once more.");
  return { same: right, different, right, wrong, always };
}

/**
 * @param {LookWords} words
 * @param {QuizHelp} help
 */
function sameCodeItem(words, help) {
  const {
    always,
    same = gettext("Right, so no letter proves an answer."),
    different = gettext(
      "They can: chance changes some answers, and nobody sees which. Choose once more.",
    ),
  } = help;
  return item(words.same, 1, { right: join(same, always), wrong: different });
}

/**
 * @param {SurveyParameters} parameters
 * @param {QuizHelp} help
 * @param {boolean} noRare whether no code identifies an answer
 */
function realAnswerItem({ questions }, help, noRare) {
  const text =
    noRare && questions.every(({ randomized }) => randomized)
      ? gettext("Can we see your real answer?")
      : gettext("Can we see your real answer to a scrambled question?");
  const {
    always,
    right = gettext("Right, it never leaves your device."),
    wrong = gettext(
      "We cannot: it is scrambled on your device, and only the letter travels. Choose once more.",
    ),
  } = help;
  return item(text, 0, { right: join(right, always), wrong: join(wrong, always) });
}

/**
 * @param {string} text
 * @param {number} correct
 * @param {{right: string, wrong: string}} help
 */
function item(text, correct, help) {
  const id = freshId();
  const feedback = el("p", { class: "quiz__help", role: "status" });
  const group = radios([gettext("No"), gettext("Yes")], { "aria-labelledby": id }, () => feedback.replaceChildren());
  const check = () => {
    const choice = group.choice();
    if (choice === null) feedback.textContent = gettext("Choose one of the two.");
    else feedback.textContent = choice === correct ? help.right : help.wrong;
    feedback.dataset.outcome = choice === correct ? "right" : "again";
  };
  const node = el("div", { class: "quiz" }, el("h4", { id }, text), group.node, feedback);
  return { node, check };
}
