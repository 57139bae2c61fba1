import { el } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { Session } from "../lib/session.js";
import { memoryStore } from "../lib/store.js";
import { iconArrays } from "./frequencies.js";
import { QuestionBlock } from "./question.js";

/**
 * Before the first question: what chance does, in a picture and in words, and a round of practice
 * with the same device on something harmless.
 */

/**
 * @param {import("../rr/wire.js").Parameters} parameters
 * @returns {{question: object, device: object} | null} the sensitive question with fewest answers
 */
export function example({ questions, devices }) {
  const pairs = questions
    .filter(({ randomized }) => randomized)
    .map((question) => ({ question, device: devices.find(({ id }) => id === question.id) }));
  const size = ({ device }) => device.reports.length;
  return pairs.sort((a, b) => size(a) - size(b))[0] ?? null;
}

/** @param {{question: object, device: object}} shown @returns {Node[]} */
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
