import { button, el, freshId, prefersReducedMotion, svg } from "../lib/dom.js";
import { formatList, gettext, interpolate } from "../lib/i18n.js";
import { Session } from "../lib/session.js";
import { memoryStore } from "../lib/store.js";
import { PAGE, checkDevice, drawReport } from "../rr/device.js";
import { systemBytes } from "../rr/random.js";
import { devicesOf, isNumber } from "../rr/wire.js";
import { cell } from "./frequencies.js";
import { QuestionBlock } from "./question.js";
import { radios } from "./radios.js";

const CROWD = 50;
const MOST_LETTERS = 2;

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
  const { question, device } = harmless(pair, parts);
  const plain = { ...parts, lookOf: parts.plainLookOf };
  const place = el("div", { class: "card practice" });
  /** @returns {void} */
  const begin = () => {
    const session = new PracticeSession();
    /** @type {() => Child[]} */
    const after = () => [
      ...crowd(device, session.truth, session.code),
      el("p", { class: "practice__lesson" }, lesson(question, device, plain)),
      button(gettext("Try again"), again),
      el("details", {}, el("summary", {}, gettext("Two quick questions")), ...quiz(parameters, plain.lookOf(device), parts)),
    ];
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

/** Draws like a survey's session, and knows what was drawn for. */
class PracticeSession extends Session {
  /** @type {Truth} */
  truth = 0;
  code = 0;

  constructor() {
    super({ devices: [], digest: "" }, memoryStore());
  }

  /**
   * @override
   * @type {Session["draw"]}
   */
  async draw(devices, takeTruths) {
    const truths = takeTruths();
    const drawn = await super.draw(devices, () => truths);
    [this.truth, this.code] = [truths[0], Number(drawn.codes?.[0])];
    return drawn;
  }
}

/**
 * A harmless question with the same device; where its reports are no letters, with the device of one part of them.
 * @param {QuestionDevices} pair
 * @param {Parts} parts
 */
function harmless({ question, devices: [device] }, parts) {
  const { columns, reports, denominator, sizes } = device;
  const { one, zero } = /** @type {Partial<BitsTable>} */ (device.table);
  /** @type {(columns: number[][], reports?: string[]) => CodedTable} */
  const dense = (rows, names = ["A", "B"]) => ({ form: "dense", reports: names, denominator, columns: rows });
  const table = () => {
    if (sizes) return /** @type {NonNullable<Parts["joint"]>} */ (parts.joint).tableOfFirst(device);
    if (one !== undefined && zero !== undefined) {
      const bit = /** @type {BitsTable} */ (device.table).denominator;
      return { ...dense([zero, one].map((entry) => [bit - entry, entry])), denominator: bit };
    }
    // Of a number the answers at both ends.
    if (reports.length === 2 && columns.length > 2) return dense([columns[0], columns[columns.length - 1]], reports);
    return device.steps ? dense(columns, reports) : null;
  };
  const own = table();
  const used = own ? alone(device, own) : device;
  return { question: practiceQuestion(question, used, parts), device: used };
}

/**
 * @param {AnyDevice} device
 * @param {CodedTable} table
 * @returns {Device}
 */
function alone({ questions, family, epsilon }, table) {
  const served = { id: "practice", questions, option: null, stratum: PAGE, family, look: "codes", table, epsilon };
  return /** @type {Device} */ (checkDevice({ ...served, delta: null, instructions: [], search: null, earlier: [] }));
}

/**
 * @param {Question} question
 * @param {Device} device
 * @param {Parts} parts
 * @returns {Question}
 */
function practiceQuestion(question, device, { controlOf }) {
  const { categories, prefer_not: refusal } = question;
  const harmlessWords = { ...question, help: "", required: true };
  const answers = device.columns.length;
  if (answers === 2) {
    const text = gettext("Do you like rain?");
    return { ...harmlessWords, control: "yes_no", prefer_not: false, text, categories: [gettext("No"), gettext("Yes")] };
  }
  if (question.control === "yes_no") return { ...harmlessWords, text: gettext("Do you like rain?") };
  const names = categories.map((name, i) => (refusal && i + 1 === categories.length ? name : String(i + 1)));
  const control = isNumber(question) ? "list" : question.control;
  return { ...harmlessWords, control, scale: null, text: controlOf(question)?.words?.pick ?? gettext("Pick any number."), categories: names };
}

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
  const text = gettext("If %(people)s people answered like you, this could be sent: %(parts)s.");
  return interpolate(text, { people: CROWD, parts: formatList(parts) });
}

/**
 * The one sentence that matters: true for every question of the survey, the weakest included.
 * @param {Question} question
 * @param {Device} device
 * @param {Parts} parts
 */
function lesson(question, device, { rare, weak, level, lookOf }) {
  const noProof = rare?.identifyingReports(question, device) ? "" : lookOf(device).words.noProof;
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
