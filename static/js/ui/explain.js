import { button, el, freshId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { Session } from "../lib/session.js";
import { memoryStore } from "../lib/store.js";
import { iconArrays } from "./frequencies.js";
import { QuestionBlock } from "./question.js";
import { radios } from "./radios.js";

/** The sensitive question with the fewest answers, or null. */
export function example({ questions, devices }) {
  const pairs = questions
    .filter(({ randomized }) => randomized)
    .map((question) => ({ question, device: devices.find(({ id }) => id === question.id) }));
  const size = ({ device }) => device.reports.length;
  return pairs.sort((a, b) => size(a) - size(b))[0] ?? null;
}

/** What chance does, and practice with the same device on something harmless. */
export function explanation({ question, device }, onTrouble) {
  const practice = new QuestionBlock({
    question: harmless(question),
    device,
    // Nothing of the practice is kept, sent or mixed with the survey's own reports.
    session: new Session({ devices: [], digest: "" }, memoryStore()),
    onTrouble,
    heading: "h3",
    practice: true,
  });
  return [
    iconArrays(device, question.categories),
    el("p", {}, gettext("So no code proves anything.")),
    el(
      "div",
      { class: "card practice" },
      el("p", { class: "tag tag--known" }, gettext("Practice: nothing is sent")),
      practice.node,
    ),
  ];
}

function harmless(question) {
  const numbers = question.categories.map((_, i) => String(i + 1));
  const like = question.kind === "yes_no";
  return {
    ...question,
    text: like ? gettext("Do you like rain?") : gettext("Pick any number."),
    help: "",
    categories: like ? question.categories : numbers,
    required: true,
  };
}

/** Two questions with help and another try; nothing is kept, nobody is turned away. */
export function quiz() {
  const answers = [gettext("No"), gettext("Yes")];
  const items = [
    item(gettext("Can people with different answers send the same code?"), answers, 1, {
      right: gettext("Right, so no code proves an answer."),
      wrong: gettext(
        "They can: chance changes some answers, and nobody sees which. Look at the circles again, or choose once more.",
      ),
    }),
    item(gettext("Can we see your real answer?"), answers, 0, {
      right: gettext("Right, it never leaves your device."),
      wrong: gettext(
        "We cannot: it is scrambled here, on your device, and only the code travels. Choose once more.",
      ),
    }),
  ];
  const check = button(gettext("Check"), () => items.forEach((one) => one.check()));
  return [...items.map(({ node }) => node), check];
}

function item(text, answers, correct, help) {
  const id = freshId();
  const told = el("p", { class: "quiz__help", role: "status" });
  const group = radios(answers, { "aria-labelledby": id }, () => told.replaceChildren());
  const check = () => {
    const choice = group.choice();
    if (choice === null) told.textContent = gettext("Choose one of the two.");
    else told.textContent = choice === correct ? help.right : help.wrong;
    told.dataset.outcome = choice === correct ? "right" : "again";
  };
  const node = el("div", { class: "quiz" }, el("h3", { id }, text), group.node, told);
  return { node, check };
}
