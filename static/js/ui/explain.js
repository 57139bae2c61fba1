import { button, el, freshId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { Session } from "../lib/session.js";
import { memoryStore } from "../lib/store.js";
import { devicesOf, isSeveral } from "../rr/wire.js";
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

/** What chance does, and practice with the same devices on something harmless. */
export function explanation({ question, devices }, parts, onTrouble) {
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
  const { rare } = parts;
  return [
    devices.length > 1 && el("p", {}, gettext("Chance treats each box separately.")),
    look.arrays(question, devices[0]),
    rare?.proofs(question, devices[0]) ?? el("p", {}, rare?.nothing() ?? look.words.nothing),
    el(
      "div",
      { class: "card practice" },
      el("p", { class: "tag tag--known" }, gettext("Practice: nothing is sent")),
      practice.node,
    ),
  ].filter(Boolean);
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
export function quiz(parameters, { words }, { rare }) {
  const items = [sameCode(words, rare?.help()), seeing(parameters, rare?.help())];
  const check = button(gettext("Check"), () => items.forEach((one) => one.check()));
  return [...items.map(({ node }) => node), check];
}

function sameCode(words, rare) {
  return item(words.same, 1, {
    right: rare?.same ?? gettext("Right, so no code proves an answer."),
    wrong: gettext(
      "They can: chance changes some answers, and nobody sees which. Look at the circles again, or choose once more.",
    ),
  });
}

// Without a condition only where it holds for every question and every code.
function seeing(parameters, rare) {
  const always = !rare && parameters.questions.every(({ randomized }) => randomized);
  const text = always
    ? gettext("Can we see your real answer?")
    : gettext("Can we see your real answer to a scrambled question?");
  const right = rare?.right ?? gettext("Right, it never leaves your device.");
  const wrong = gettext(
    "We cannot: it is scrambled here, on your device, and only the code travels. Choose once more.",
  );
  return item(text, 0, { right, wrong: rare?.wrong ?? wrong });
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
