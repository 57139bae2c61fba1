import { el } from "../lib/dom.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { changeCounts, rankOf } from "../rr/joint.js";
import { crowd } from "./frequencies.js";
import { table } from "./table.js";
import { symbol, wheel } from "./wheel.js";

// Pictures and sentences for joint questions, computed from the frozen integers; none depends on
// anybody's answers.

// With more questions the rarest numbers of changes are added up.
const MOST_ROWS = 4;
const CROWDS = [100, 1000, 10_000, 100_000, 1_000_000];

/** @param {Pick<AnyDevice, "table">} device */
const tableOf = (device) => /** @type {JointTable} */ (device.table);

/**
 * How often so many answers are changed: none, one, two, and so on.
 * @param {AnyDevice} device
 */
function changesOf(device) {
  const { denominator, parts } = tableOf(device);
  const counts = changeCounts(tableOf(device));
  const rest = counts.slice(MOST_ROWS - 1);
  const entries = [...counts.slice(0, MOST_ROWS - 1), ...(rest.length ? [rest.reduce((sum, x) => sum + x, 0)] : [])];
  const isSum = rest.length > 1;
  const letters = entries.map((_, w) => (isSum && w === MOST_ROWS - 1 ? `${w}+` : String(w)));
  const shares = /** @type {Device} */ ({ columns: [entries], denominator, reports: letters });
  const { people, counts: [numbers] } = crowd(shares);
  return { shares, people, numbers, isSum, size: parts.length };
}

/**
 * @param {number} changed how many answers, or so many and more if `isSum`
 * @param {{isSum: boolean, size: number}} changes
 */
function changeName(changed, { isSum, size }) {
  if (changed === 0) return gettext("All answers as they are");
  if (isSum && changed === MOST_ROWS - 1) {
    return interpolate(gettext("%(changed)s or more answers changed"), { changed });
  }
  if (changed === size) return gettext("All answers changed");
  return changed === 1
    ? gettext("One answer changed")
    : interpolate(gettext("%(changed)s answers changed"), { changed });
}

/** @param {AnyDevice} device */
export const drawing = (device) => [el("figure", {}, chance(device).node)];

/**
 * How often so many answers are changed, to unfold.
 * @param {AnyDevice} device
 */
export function numbers(device) {
  const changes = changesOf(device);
  const { people } = changes;
  const caption = interpolate(gettext("Of %(people)s people with the same answers, so many send"), { people });
  const rows = changes.numbers.map((count, changed) => [changeName(changed, changes), formatNumber(count)]);
  return table({ caption, head: [gettext("What chance does"), gettext("How many")], rows, look: "joint__table" });
}

/**
 * A wheel with a sector for each number of changed answers: the same for all answers.
 * @param {AnyDevice} device
 * @returns {Disc}
 */
export function chance(device) {
  const { shares } = changesOf(device);
  const disc = wheel(shares, 0);
  const joint = tableOf(device);
  const place = (/** @type {number} */ spot) => rankOf(joint, spot * joint.denominator) / joint.denominator;
  return { node: disc.node, spin: (spot, stop) => disc.spin(place(spot), stop) };
}

/**
 * The sectors of the wheel in words.
 * @param {AnyDevice} device
 */
export function legend(device) {
  const changes = changesOf(device);
  const { people } = changes;
  const caption = interpolate(gettext("Of %(people)s people with the same answers:"), { people });
  const rows = changes.numbers.map((count, changed) => {
    const name = el("span", {}, `${changeName(changed, changes)}: `, el("b", {}, formatNumber(count)));
    return el("li", {}, symbol(changed, changes.shares.reports[changed]), name);
  });
  return [el("p", {}, caption), el("ul", { class: "codes joint__chances" }, ...rows)];
}

/**
 * The people who send these codes, in the same words for all real answers.
 * @param {AnyDevice} device
 * @param {number} level of its warning
 */
export function who(device, level) {
  const { weights, denominator } = tableOf(device);
  const least = Math.min(...weights.filter((weight) => weight > 0)) / denominator;
  const people = CROWDS.find((crowd) => least * crowd >= 5) ?? CROWDS[CROWDS.length - 1];
  const counts = weights.map((weight) => Math.round((weight / denominator) * people));
  const last = counts.length - 1;
  const every = [
    gettext("All other answers can lead to these letters too. So nobody can tell which of them are real answers."),
    gettext("All other answers can lead to these letters too, but not as often."),
    gettext("All other answers can lead to these letters too, but not nearly as often."),
  ][Math.min(level, 2)];
  const text = gettext(
    "Of %(people)s people who mean exactly these answers, %(same)s send these letters. Of %(people)s whose answers all differ, %(other)s do.",
  );
  const caption = interpolate(gettext("Of %(people)s people, so many send these letters"), { people });
  const rows = counts.map((count, different) => [differenceName(different, last), formatNumber(count)]);
  const all = table({ caption, head: [gettext("Real answers"), gettext("How many")], rows });
  const title = gettext("How many with other real answers");
  return [
    el("p", {}, every),
    el("p", {}, interpolate(text, { people, same: counts[0], other: counts[last] })),
    el("details", {}, el("summary", {}, title), all),
  ];
}

/**
 * @param {number} different
 * @param {number} size
 */
function differenceName(different, size) {
  if (different === 0) return gettext("Exactly these");
  if (different === size) return gettext("Different in every question");
  return different === 1
    ? gettext("Different in one question")
    : interpolate(gettext("Different in %(count)s questions"), { count: different });
}

/**
 * "Questions 2 to 4": the numbers of joint questions.
 * @param {number[]} numbers
 */
export function rangeName(numbers) {
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  const text = numbers.length === 2 ? gettext("Questions %(first)s and %(last)s") : gettext("Questions %(first)s to %(last)s");
  return interpolate(text, { first, last });
}

/**
 * @param {number[]} numbers of the questions
 */
export function togetherWords(numbers) {
  const text = gettext(
    "%(questions)s are sent together: one draw scrambles all answers, after the last one.",
  );
  return interpolate(text, { questions: rangeName(numbers) });
}

/**
 * The code of each question.
 * @param {AnyDevice} device
 * @param {Question[]} questions
 * @param {number[]} codes
 */
export function codeList(device, questions, codes) {
  const rows = letters(device, codes).map((letter, i) =>
    el("li", {}, symbol(codes[i], letter), el("span", { class: "author-text", dir: "auto" }, `${questions[i].text} `, el("b", {}, letter))),
  );
  return el("ul", { class: "codes" }, ...rows);
}

/**
 * @param {AnyDevice} device
 * @param {number[]} codes
 */
export const letters = (device, codes) => codes.map((code, i) => tableOf(device).parts[i][code]);
