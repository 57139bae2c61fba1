/**
 * Joint devices, over questions that are answered one by one and scrambled by one draw: truth and report
 * are lists of codes, one for each question. surveys/parameters/joint.py has the twin of the rules.
 */

import { checkDenominator } from "./device.js";
import { uniformBelow } from "./random.js";
import { checkKeys, isCode, isLabelList } from "./shape.js";

const MOST_COMBINATIONS = 2 ** 20;
// The controls of questions of which one answer is true, and listed.
const LISTED = ["yes_no", "list", "scale"];

/**
 * @param {JointTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {CheckedTable}
 */
export function form(table, fail, onPage) {
  checkKeys(table, ["form", "parts", "denominator", "weights"], [], fail);
  const { parts, denominator, weights } = table;
  if (!Array.isArray(parts) || parts.length < 2) fail("wrong_length", "parts");
  parts.forEach((names, i) => {
    if (!isLabelList(names)) fail("bad_labels", `parts.${i}`);
  });
  checkDenominator(denominator, onPage, fail);
  const sizes = parts.map((names) => names.length);
  const truths = product(sizes);
  if (truths > MOST_COMBINATIONS) fail("bad_group", "parts");
  checkWeights(table, neighbours(sizes), fail);
  /** @type {[bigint, bigint]} */
  const worst = [BigInt(Math.max(...weights)), BigInt(Math.min(...weights))];
  /** @param {unknown} codes */
  const has = (codes) =>
    Array.isArray(codes) && codes.length === sizes.length && codes.every((code, i) => isCode(code) && code < sizes[i]);
  return {
    contents: { truths, sizes, draws: denominator, worst: [worst] },
    draw: (truth, randomBytes) =>
      has(truth) ? drawAll(sizes, table, /** @type {number[]} */ (truth), randomBytes) : undefined,
    has,
    longest: sizes.map((size) => String(size - 1).length),
  };
}

/**
 * A report with w changed answers has the probability `weights[w] / denominator`.
 * @param {JointTable} table
 * @param {number[]} numbers
 * @param {Fail} fail
 */
function checkWeights({ weights, denominator }, numbers, fail) {
  if (!Array.isArray(weights) || weights.length !== numbers.length) fail("wrong_length", "weights");
  weights.forEach((weight, w) => {
    if (!Number.isSafeInteger(weight) || weight < 0) fail("not_an_integer", `weights.${w}`);
  });
  const sum = weights.reduce((total, weight, w) => total + BigInt(weight) * BigInt(numbers[w]), 0n);
  if (sum !== BigInt(denominator)) fail("wrong_sum", "weights");
}

/**
 * For each w how many tuples differ from a given one in w places.
 * @param {number[]} sizes
 */
function neighbours(sizes) {
  return sizes.reduce(
    (numbers, size) => [...numbers, 0].map((number, w) => number + (size - 1) * (numbers[w - 1] ?? 0)),
    [1],
  );
}

/** @param {number[]} numbers */
const product = (numbers) => numbers.reduce((total, number) => total * number, 1);
/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * Whether an answer is in a set of changed answers, which a binary number names: 1 or 0.
 * @param {number} set
 * @param {number} i
 * @param {number} questions
 */
const isChanged = (set, i, questions) => (set >>> (questions - 1 - i)) & 1;

/**
 * How many answers a set changes, and how many reports have these changes.
 * @param {number} set
 * @param {number[]} sizes
 */
function extentOf(set, sizes) {
  let [number, reports] = [0, 1];
  for (let i = 0; i < sizes.length; i += 1) {
    const changed = isChanged(set, i, sizes.length);
    number += changed;
    reports *= changed ? sizes[i] - 1 : 1;
  }
  return { number, reports };
}

/**
 * One number below the denominator decides which answers are changed, and into which. The sets of
 * changed answers follow one another like the binary numbers that name them, the first question in
 * the highest place; within a set the last question runs fastest. The same bytes and steps for all truths.
 * @param {number[]} sizes
 * @param {JointTable} table
 * @param {number[]} truths
 * @param {RandomBytes} randomBytes
 */
function drawAll(sizes, { denominator, weights }, truths, randomBytes) {
  const draw = uniformBelow(denominator, randomBytes);
  let report = truths;
  let start = 0;
  for (let set = 0; set < 2 ** sizes.length; set += 1) {
    const { number, reports } = extentOf(set, sizes);
    const weight = weights[number];
    const end = start + weight * reports;
    const offset = Math.max(0, draw - start);
    const candidate = change(sizes, set, truths, (offset - (offset % (weight || 1))) / (weight || 1));
    if (start <= draw && draw < end) report = candidate;
    start = end;
  }
  return report;
}

/**
 * @param {number[]} sizes
 * @param {number} set of changed answers
 * @param {number[]} truths
 * @param {number} number which of the reports with these changes
 */
function change(sizes, set, truths, number) {
  const report = [...truths];
  let rest = number;
  for (let i = sizes.length - 1; i >= 0; i -= 1) {
    if (!isChanged(set, i, sizes.length)) continue;
    const step = rest % (sizes[i] - 1);
    rest = (rest - step) / (sizes[i] - 1);
    report[i] = step + Number(step >= truths[i]);
  }
  return report;
}

/** @param {JointTable} table */
const sizesOf = ({ parts }) => parts.map((names) => names.length);

/**
 * For each w how many of `denominator` draws change w answers, whatever the answers are.
 * @param {JointTable} table
 */
export const changeCounts = (table) => neighbours(sizesOf(table)).map((number, w) => number * table.weights[w]);

/**
 * The place of a draw among all draws once they are sorted by how many answers they change.
 * @param {JointTable} table
 * @param {number} draw below its denominator
 */
export function rankOf(table, draw) {
  const [sizes, counts] = [sizesOf(table), changeCounts(table)];
  const earlier = counts.map((_, w) => sum(counts.slice(0, w)));
  let start = 0;
  for (let set = 0; ; set += 1) {
    const { number, reports } = extentOf(set, sizes);
    const size = table.weights[number] * reports;
    if (draw < start + size) return earlier[number] + draw - start;
    earlier[number] += size;
    start += size;
  }
}

/**
 * The table of the first `count` questions alone: the others are added up.
 * @param {JointTable} table
 * @param {number} count
 * @returns {JointTable}
 */
export function marginOf(table, count) {
  const rest = neighbours(sizesOf(table).slice(count));
  const weights = table.weights.slice(0, count + 1).map((_, w) => sum(rest.map((number, j) => number * table.weights[w + j])));
  return { ...table, parts: table.parts.slice(0, count), weights };
}

/** @param {AnyDevice} device */
export const isJoint = ({ table }) => table.form === "joint";

/**
 * @param {Question[]} covered
 * @param {Pick<AnyDevice, "sizes" | "epsilon">} device
 * @param {Fail} fail
 */
export function checkQuestions(covered, { sizes, epsilon }, fail) {
  if (!covered.every(({ control }) => LISTED.includes(control))) fail("bad_group", "questions");
  const fits = covered.length === sizes?.length && covered.every(({ categories }, i) => categories.length === sizes[i]);
  if (!fits) fail("wrong_length", "table");
  if (epsilon === null || !covered.every(({ randomized }) => randomized)) fail("bad_choice", "epsilon");
  if (covered.some(({ required }) => required !== covered[0].required)) fail("bad_group", "questions");
}
