import { button, el, freshId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { Session } from "../lib/session.js";
import { memoryStore } from "../lib/store.js";
import { devicesOf, isSeveral } from "../rr/wire.js";
import { QuestionBlock } from "./question.js";
import { radios } from "./radios.js";

/**
 * The sensitive question with the fewest codes, or null.
 * @param {SurveyParameters} parameters
 * @returns {Drawn | null}
 */
export function example(parameters) {
  const pairs = parameters.questions
    .filter(({ randomized }) => randomized)
    .map((question) => ({ question, devices: devicesOf(parameters, question) }));
  /** @param {Drawn} drawn */
  const size = ({ devices }) => devices.length * devices[0].reports.length;
  return pairs.sort((a, b) => size(a) - size(b))[0] ?? null;
}

/**
 * What chance does, and practice with the same devices on something harmless.
 * @param {Drawn} drawn
 * @param {Parts} parts
 * @param {(error?: unknown) => void} onTrouble
 */
export function explanation({ question, devices }, parts, onTrouble) {
  const look = parts.lookOf(devices[0]);
  const told = whatCodesTell(question, devices[0], parts);
  const practice = new QuestionBlock({
    question: harmless(question, parts),
    devices,
    parts,
    // Nothing of the practice is kept, sent or mixed with the survey's own reports.
    session: new Session({ devices: [], digest: "" }, memoryStore()),
    onTrouble,
    heading: "h3",
    practice: true,
  });
  return [
    devices.length > 1 && el("p", {}, parts.boxes.words.apart),
    look.arrays(question, devices[0]),
    parts.rare?.identifyingReports(question, devices[0]),
    told && el("p", {}, told),
    el(
      "div",
      { class: "card practice" },
      el("p", { class: "tag tag--known" }, gettext("Practice: nothing is sent")),
      practice.node,
    ),
  ].filter(Boolean);
}

/**
 * What holds for every question of the survey, the weakest included.
 * @param {Question} question
 * @param {Device} device
 * @param {Parts} parts
 */
function whatCodesTell(question, device, { rare, weak, level, lookOf }) {
  const calm = rare?.identifyingReports(question, device) ? "" : (rare?.nothing() ?? lookOf(device).words.nothing);
  return joined(level < 2 || rare ? calm : "", weak?.here(level));
}

/** @param {...(string | undefined)} texts */
const joined = (...texts) => texts.filter(Boolean).join(" ");

/**
 * @param {Question} question
 * @param {Parts} parts
 * @returns {Question}
 */
function harmless(question, { boxes }) {
  const { categories, prefer_not: refusal } = question;
  const numbers = categories.map((name, i) =>
    refusal && i + 1 === categories.length ? name : String(i + 1),
  );
  const like = question.control === "yes_no";
  const pick = isSeveral(question) ? boxes.words.pick : gettext("Pick any number.");
  return {
    ...question,
    text: like ? gettext("Do you like rain?") : pick,
    help: "",
    categories: like ? categories : numbers,
    required: true,
  };
}

/**
 * Two questions with help and another try; nothing is kept, nobody is turned away.
 * @param {SurveyParameters} parameters
 * @param {Look} look
 * @param {Parts} parts
 */
export function quiz(parameters, { words }, { rare, weak, level }) {
  /** @type {QuizHelp} */
  const help = { ...weak?.help(level), ...rare?.help() };
  const items = [sameCode(words, help), seeing(parameters, help, !rare)];
  const check = button(gettext("Check"), () => items.forEach((one) => one.check()));
  return [...items.map(({ node }) => node), check];
}

/**
 * @param {LookWords} words
 * @param {QuizHelp} help
 */
function sameCode(words, help) {
  const {
    told,
    same = gettext("Right, so no code proves an answer."),
    different = gettext(
      "They can: chance changes some answers, and nobody sees which. Look at the circles again, or choose once more.",
    ),
  } = help;
  return item(words.same, 1, { right: joined(same, told), wrong: different });
}

/**
 * Without a condition only where it holds for every question and every code.
 * @param {SurveyParameters} parameters
 * @param {QuizHelp} help
 * @param {boolean} always
 */
function seeing({ questions }, help, always) {
  const text =
    always && questions.every(({ randomized }) => randomized)
      ? gettext("Can we see your real answer?")
      : gettext("Can we see your real answer to a scrambled question?");
  const {
    told,
    right = gettext("Right, it never leaves your device."),
    wrong = gettext(
      "We cannot: it is scrambled here, on your device, and only the code travels. Choose once more.",
    ),
  } = help;
  return item(text, 0, { right: joined(right, told), wrong: joined(wrong, told) });
}

/**
 * @param {string} text
 * @param {number} correct
 * @param {{right: string, wrong: string}} help
 */
function item(text, correct, help) {
  const id = freshId();
  const told = el("p", { class: "quiz__help", role: "status" });
  const group = radios([gettext("No"), gettext("Yes")], { "aria-labelledby": id }, () => told.replaceChildren());
  const check = () => {
    const choice = group.choice();
    if (choice === null) told.textContent = gettext("Choose one of the two.");
    else told.textContent = choice === correct ? help.right : help.wrong;
    told.dataset.outcome = choice === correct ? "right" : "again";
  };
  const node = el("div", { class: "quiz" }, el("h3", { id }, text), group.node, told);
  return { node, check };
}
