import { button, el, freshId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { Session } from "../lib/session.js";
import { memoryStore } from "../lib/store.js";
import { devicesOf, isNumber } from "../rr/wire.js";
import { QuestionBlock } from "./question.js";
import { radios } from "./radios.js";

/**
 * @param {SurveyParameters} parameters
 * @returns {QuestionDevices | null} the first of joint questions, or the sensitive one with the fewest codes
 */
export function example(parameters) {
  const pairs = parameters.questions
    .filter(({ randomized }) => randomized)
    .map((question) => ({ question, devices: devicesOf(parameters, question) }));
  /** @param {QuestionDevices} pair */
  const size = ({ devices }) => (devices[0].sizes ? 0 : devices.length * (devices[0].reports?.length ?? Infinity));
  return pairs.sort((a, b) => size(a) - size(b))[0] ?? null;
}

/**
 * The explanation of what chance does, and practice with the same devices.
 * @param {QuestionDevices} pair
 * @param {Parts} parts
 * @param {(error?: unknown) => void} onTrouble
 */
export function explanation({ question, devices }, parts, onTrouble) {
  const note = codesNote(question, devices[0], parts);
  const practice = new QuestionBlock({
    question: practiceQuestion(question, parts),
    devices,
    parts,
    // No report of the practice is stored, sent or mixed with the survey's.
    session: new Session({ devices: [], digest: "" }, memoryStore()),
    onTrouble,
    heading: "h3",
    practice: true,
  });
  const shown = [...pictures({ question, devices }, parts), note && el("p", {}, note), practiceCard(practice.node)];
  return shown.filter(Boolean);
}

/**
 * @param {QuestionDevices} pair
 * @param {Parts} parts
 */
export const pictures = ({ question, devices }, parts) => [
  devices.length > 1 && el("p", {}, parts.boxes.words.apart),
  parts.lookOf(devices[0]).arrays(question, devices[0]),
  parts.rare?.identifyingReports(question, devices[0]),
];

/** @param {...Node} nodes */
export const practiceCard = (...nodes) =>
  el(
    "div",
    { class: "card practice" },
    el("p", { class: "tag tag--known" }, gettext("Practice: nothing is sent")),
    ...nodes,
  );

/**
 * True for every question of the survey, the weakest included.
 * @param {Question} question
 * @param {Device} device
 * @param {Parts} parts
 */
const codesNote = (question, device, parts) =>
  statement(parts, parts.rare?.identifyingReports(question, device) ? "" : parts.lookOf(device).words.noProof);

/**
 * That nothing is proved, or else what can be seen: never both.
 * @param {Parts} parts
 * @param {string} noProof
 */
export const statement = ({ rare, weak, level }, noProof) =>
  join(rare && noProof ? rare.noProof(level) : level < 1 ? noProof : "", weak?.warning(level));

/** @param {...(string | undefined)} texts */
export const join = (...texts) => texts.filter(Boolean).join(" ");

/**
 * @param {Question} question
 * @param {Parts} parts
 * @returns {Question}
 */
export function practiceQuestion(question, { controlOf }) {
  const { categories, prefer_not: refusal } = question;
  const numbers = categories.map((name, i) =>
    refusal && i + 1 === categories.length ? name : String(i + 1),
  );
  const isYesNo = question.control === "yes_no";
  const { words, practice = numbers } = controlOf(question) ?? {};
  const pick = words?.pick ?? gettext("Pick any number.");
  return {
    ...question,
    text: isYesNo ? gettext("Do you like rain?") : pick,
    help: "",
    categories: isYesNo || isNumber(question) ? categories : practice,
    required: true,
  };
}

/**
 * Two questions with help and another try; no answer is stored or needed to go on.
 * @param {SurveyParameters} parameters
 * @param {Look} look
 * @param {Parts} parts
 */
export function quiz(parameters, { words }, { rare, weak, level }) {
  /** @type {QuizHelp} */
  const help = { ...weak?.help(level), ...rare?.help() };
  const items = [sameCodeItem(words, help), realAnswerItem(parameters, help, !rare)];
  const check = button(gettext("Check"), () => items.forEach(({ check }) => check()));
  return [...items.map(({ node }) => node), check];
}

/**
 * @param {LookWords} words
 * @param {QuizHelp} help
 */
function sameCodeItem(words, help) {
  const {
    always,
    same = gettext("Right, so no code proves an answer."),
    different = gettext(
      "They can: chance changes some answers, and nobody sees which. Look at the circles again, or choose once more.",
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
      "We cannot: it is scrambled here, on your device, and only the code travels. Choose once more.",
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
  const node = el("div", { class: "quiz" }, el("h3", { id }, text), group.node, feedback);
  return { node, check };
}
