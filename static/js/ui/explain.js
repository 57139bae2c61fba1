import { button, el, freshId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { Session } from "../lib/session.js";
import { memoryStore } from "../lib/store.js";
import { epsilonOf } from "../rr/device.js";
import { devicesOf, isSeveral } from "../rr/wire.js";
import { proofs } from "./frequencies.js";
import { QuestionBlock } from "./question.js";
import { radios } from "./radios.js";

/** The sensitive question with the fewest codes, or null. */
export function example(parameters) {
  const pairs = parameters.questions
    .filter(({ randomized }) => randomized)
    .map((question) => ({ question, devices: devicesOf(parameters, question) }));
  const size = ({ devices }) => devices.length * devices[0].reports.length;
  return pairs.sort((a, b) => size(a) - size(b))[0] ?? null;
}

// Whether somewhere in the survey a code can prove an answer, as a device with a delta may let it.
const proving = ({ devices }) =>
  devices.some((device) => device.epsilon !== null && epsilonOf(device) === Infinity);

/** What chance does, and practice with the same devices on something harmless. */
export function explanation(parameters, { question, devices }, parts, onTrouble) {
  const look = parts.lookOf(devices[0]);
  const practice = new QuestionBlock({
    question: harmless(question),
    devices,
    parts,
    // Nothing of the practice is kept, sent or mixed with the survey's own reports.
    session: new Session({ devices: [], digest: "" }, memoryStore()),
    onTrouble,
    heading: "h3",
    practice: true,
  });
  const proven = proofs(question, devices[0]);
  return [
    devices.length > 1 && el("p", {}, gettext("Chance decides about each box apart.")),
    look.arrays(question, devices[0]),
    proven ?? el("p", {}, nothingProven(parameters, look)),
    el(
      "div",
      { class: "card practice" },
      el("p", { class: "tag tag--known" }, gettext("Practice: nothing is sent")),
      practice.node,
    ),
  ].filter(Boolean);
}

function nothingProven(parameters, { words }) {
  return proving(parameters)
    ? gettext(
        "No code of this question proves anything. Where another question has a code that does, it says so.",
      )
    : words.nothing();
}

function harmless(question) {
  const { categories, prefer_not: refusal } = question;
  const numbers = categories.map((name, i) =>
    refusal && i + 1 === categories.length ? name : String(i + 1),
  );
  const like = question.kind === "yes_no";
  const pick = isSeveral(question) ? gettext("Pick any numbers.") : gettext("Pick any number.");
  return {
    ...question,
    text: like ? gettext("Do you like rain?") : pick,
    help: "",
    categories: like ? categories : numbers,
    required: true,
  };
}

/** Two questions with help and another try; nothing is kept, nobody is turned away. */
export function quiz(parameters, { words }) {
  const items = [sameCode(proving(parameters), words), seeing(parameters)];
  const check = button(gettext("Check"), () => items.forEach((one) => one.check()));
  return [...items.map(({ node }) => node), check];
}

function sameCode(proven, words) {
  return item(words.same(), 1, {
    right: proven
      ? gettext("Right. Where only one answer can send a code, the question says so.")
      : gettext("Right, so no code proves an answer."),
    wrong: gettext(
      "They can: chance changes some answers, and nobody sees which. Look at the circles again, or choose once more.",
    ),
  });
}

// Without a condition only where it holds for every question and every code.
function seeing(parameters) {
  const proven = proving(parameters);
  const always = !proven && parameters.questions.every(({ randomized }) => randomized);
  const text = always
    ? gettext("Can we see your real answer?")
    : gettext("Can we see your real answer to a scrambled question?");
  const right = proven
    ? gettext("Right, except where a rare code shows it; the question says so.")
    : gettext("Right, it never leaves your device.");
  const wrong = proven
    ? gettext(
        "Only where a rare code shows it: your answer is scrambled here, on your device, and only the code travels. Choose once more.",
      )
    : gettext(
        "We cannot: it is scrambled here, on your device, and only the code travels. Choose once more.",
      );
  return item(text, 0, { right, wrong });
}

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
