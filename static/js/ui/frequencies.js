import { el, svg } from "../lib/dom.js";
import { formatList, gettext, interpolate } from "../lib/i18n.js";
import { frequencies } from "../rr/device.js";
import { isSeveral } from "../rr/wire.js";
import { shape, wheel } from "./wheel.js";

// Pictures and sentences for devices with two codes, computed from the frozen integers; none depends
// on anybody's answer. many.js and cards.js have those of others.

export const CROWDS = [100, 1000, 10_000];

/**
 * The true answers of a device, in words.
 * @param {Question} question
 * @param {Device} device
 */
export function answersOf(question, device) {
  const { categories, prefer_not: refusal } = question;
  if (!isSeveral(question)) return categories;
  if (device.columns.length === 2) return [gettext("Not ticked"), gettext("Ticked")];
  /** @param {number} v */
  const set = (v) => categories.filter((_, i) => Math.floor(v / 2 ** i) % 2);
  const names = device.columns.map((_, v) => formatList(set(v)) || gettext("None of these"));
  return refusal ? [...names.slice(0, -1), ...categories.slice(-1)] : names;
}

/**
 * The smallest crowd whose counts show every report that an answer can send.
 * @param {Device} device
 */
export function crowd(device) {
  /** @param {number[][]} counts */
  const isShown = (counts) =>
    counts.every((column, v) => column.every((n, u) => n > 0 || device.columns[v][u] === 0));
  const crowds = CROWDS.map((people) => ({ people, counts: frequencies(device, people) }));
  return crowds.find(({ counts }) => isShown(counts)) ?? crowds[crowds.length - 1];
}

/**
 * Whether the diagonal is constant, and all other entries are, up to rounding.
 * @param {Device} device
 */
export function isUniform({ columns, reports }) {
  const [diagonal, other] = [columns[0][0], columns[0][1]];
  /** @type {(column: number[], v: number) => boolean} */
  const even = (column, v) =>
    column.every((entry, u) => Math.abs(entry - (u === v ? diagonal : other)) <= reports.length);
  return columns.length === reports.length && columns.every(even);
}

/**
 * A share in the words that all kinds of questions use for it, at the beginning of a sentence.
 * @param {number} share from 0 to 1
 */
export function often(share) {
  if (share < 0.005) return gettext("Fewer than 1 in 100");
  if (share > 0.995) return gettext("More than 99 in 100");
  const [count, people] = share < 0.095 || share > 0.905 ? [share * 100, 100] : [share * 10, 10];
  return interpolate(gettext("About %(count)s in %(people)s"), { count: Math.round(count), people });
}

/**
 * The one sentence on what chance does.
 * @param {Question} _question
 * @param {Device} device
 */
export function lead(_question, device) {
  if (!isUniform(device)) return gettext("Chance may change the letter; how often depends on the answer.");
  const share = device.columns[0][0] / device.denominator;
  return interpolate(gettext("%(often)s people send the letter of their real answer."), { often: often(share) });
}

/**
 * The wheels of all answers; of more than three that of the first one.
 * @param {Question} question
 * @param {Device} device
 */
export function drawing(question, device) {
  const names = answersOf(question, device);
  const shown = names.length > 3 ? names.slice(0, 1) : names;
  return shown.map((name, v) => el("figure", {}, wheel(device, v).node, el("figcaption", {}, name)));
}

/**
 * Icon arrays with captions that say the same in words.
 * @param {Question} question
 * @param {Device} device
 */
export function numbers(question, device) {
  const answers = answersOf(question, device);
  const { people, counts } = crowd(device);
  const figures = counts.map((column, v) =>
    figure(column, sentence(device, people, column, answers[v])),
  );
  return el("div", { class: "arrays" }, ...figures);
}

/**
 * A hundred icons in groups, and the words for them.
 * @param {number[]} groups
 * @param {string} words
 */
export function figure(groups, words) {
  const total = groups.reduce((sum, n) => sum + n, 0);
  const icons = groups.flatMap((n, group) => Array(Math.round((n / total) * 100)).fill(group));
  const cells = icons.slice(0, 100).map((group, i) => cell(group, i));
  const picture = svg("svg", { viewBox: "0 0 200 200", class: "array", "aria-hidden": "true" }, ...cells);
  return el("figure", { class: "array-figure" }, picture, el("figcaption", {}, words));
}

/**
 * @param {number} group
 * @param {number} i
 */
export function cell(group, i) {
  const transform = `translate(${10 + (i % 10) * 20} ${10 + Math.floor(i / 10) * 20}) scale(0.42)`;
  return svg("g", { transform }, shape(group));
}

/**
 * @param {Device} device
 * @param {number} people
 * @param {number[]} column
 * @param {string} answer
 */
function sentence(device, people, column, answer) {
  const parts = column.map((count, u) =>
    interpolate(gettext("%(count)s send %(letter)s"), { count, letter: device.reports[u] }),
  );
  return interpolate(gettext("Of %(people)s people who mean “%(answer)s”, %(parts)s."), {
    people,
    answer,
    parts: formatList(parts),
  });
}

/**
 * The people who send this code, in the same words for every true answer.
 * @param {Question} question
 * @param {Device} device
 * @param {number} code
 * @returns {Explained}
 */
export function who(question, device, code) {
  const answers = answersOf(question, device);
  const { people, counts } = crowd(device);
  const text = gettext("Of %(people)s people who mean “%(answer)s”, %(count)s send %(letter)s.");
  const letter = device.reports[code];
  const of = counts.map((column, v) => interpolate(text, { people, answer: answers[v], count: column[code], letter }));
  return { text: of.join(" ") };
}
