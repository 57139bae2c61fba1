import { button, el } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { Session } from "../lib/session.js";
import { memoryStore } from "../lib/store.js";
import { answerCount, devicesOf, isNumber } from "../rr/wire.js";
import { QuestionBlock } from "./question.js";

/**
 * @param {SurveyParameters} parameters
 * @returns {QuestionDevices | null} the simplest question: yes or no, or else that with the fewest letters
 */
export function example(parameters) {
  const pairs = parameters.questions
    .filter(({ randomized }) => randomized)
    .map((question) => ({ question, devices: devicesOf(parameters, question) }));
  /** @param {QuestionDevices} pair */
  const size = ({ question, devices }) => (question.control === "yes_no" ? 0 : (devices[0].reports?.length ?? Infinity));
  return pairs.sort((a, b) => size(a) - size(b))[0] ?? null;
}

/**
 * Practice on a harmless question, as often as somebody likes. No report of it is stored, sent or mixed with the
 * survey's.
 * @param {QuestionDevices} pair
 * @param {SurveyParameters} parameters
 * @param {Parts} parts
 * @param {(error?: unknown) => void} onTrouble
 */
export function practice(pair, parameters, parts, onTrouble) {
  const [own] = pair.devices;
  // Where its reports are no letters, that of one part of them.
  const device = parts.partOf?.(own, parts) ?? own;
  const question = practiceQuestion(pair.question, device, parts);
  const plain = { ...parts, lookOf: parts.plainLookOf };
  const place = el("div", { class: "card practice" });
  /** @returns {void} */
  const begin = () => {
    const session = new Session({ devices: [], digest: "" }, memoryStore());
    const draw = session.draw.bind(session);
    /** @type {() => Node[]} */
    let crowd = () => [];
    session.draw = async (devices, takeTruths) => {
      const truths = takeTruths();
      const drawn = await draw(devices, () => truths);
      // Without a connection there is the draw alone.
      const module = await import("./practised.js").catch(() => undefined);
      if (module) crowd = () => module.practised(question, device, truths[0], Number(drawn.codes?.[0]), parameters, parts);
      return drawn;
    };
    const after = () => [...crowd(), button(gettext("Try again"), again)];
    const block = new QuestionBlock({
      question,
      devices: [device],
      parts: plain,
      session,
      onTrouble,
      heading: "h3",
      practice: after,
    });
    place.replaceChildren(block.node);
  };
  const again = () => {
    begin();
    place.querySelector("h3")?.focus();
  };
  begin();
  return place;
}

/**
 * @param {Question} question
 * @param {Device} device
 * @param {Parts} parts
 * @returns {Question}
 */
function practiceQuestion(question, device, { controlOf }) {
  const { categories } = question;
  const harmlessWords = { ...question, help: "", required: true };
  const answers = device.columns.length;
  if (answers === 2) {
    const text = gettext("Do you like rain?");
    return { ...harmlessWords, control: "yes_no", prefer_not: false, text, categories: [gettext("No"), gettext("Yes")] };
  }
  if (question.control === "yes_no") return { ...harmlessWords, text: gettext("Do you like rain?") };
  const names = categories.map((name, i) => (i < answerCount(question) ? String(i + 1) : name));
  const control = isNumber(question) ? "list" : question.control;
  return { ...harmlessWords, control, scale: null, text: controlOf(question)?.words?.pick ?? gettext("Pick any number."), categories: names };
}
