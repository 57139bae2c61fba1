/**
 * The scale of a number: values `lower + step * j`, in whole millionths, so that they are exact.
 * surveys/parameters/scale.py has the same rules.
 */

import { checkKeys, isCode } from "./shape.js";
import { answerCount } from "./wire.js";

const KEYS = ["lower", "upper", "step", "unit", "bins"];
const DECIMAL = /^(0|-?[1-9][0-9]{0,8}|-?(0|[1-9][0-9]{0,8})\.[0-9]{0,5}[1-9])$/;
const PLACES = 6;
const MOST_STEPS = 10_000;
const MOST_IN_A_UNIT = 30;

/**
 * @param {Question} question
 * @param {Fail} fail
 */
export function checkQuestion(question, fail) {
  const { scale, categories } = question;
  const answers = answerCount(question);
  /** @type {Fail} */
  const failHere = (code, field) => fail(code, field ? `scale.${field}` : "scale");
  checkKeys(scale, KEYS, [], failHere);
  if (!scale) return;
  for (const [field, text] of Object.entries({ lower: scale.lower, upper: scale.upper, step: scale.step })) {
    if (typeof text !== "string" || !DECIMAL.test(text)) failHere("not_a_decimal", field);
  }
  if (typeof scale.unit !== "string" || [...scale.unit].length > MOST_IN_A_UNIT) failHere("bad_text", "unit");
  const { bins } = scale;
  if (!Array.isArray(bins)) failHere("not_a_list", "bins");
  if (!bins.every(isCode)) failHere("bad_number", "bins");
  const steps = millionths(scale.step) > 0 ? stepsOf(scale) : 0;
  if (!Number.isInteger(steps) || steps < 1 || steps > MOST_STEPS) failHere("bad_scale", "");
  const rising = bins.every((start, i) => (i ? start > bins[i - 1] : start === 0) && start <= steps);
  if (!rising || bins.length === 1) failHere("bad_scale", "");
  if (answers !== (bins.length || 2)) fail("wrong_length", "categories");
  if (answers < categories.length && !bins.length) fail("bad_scale", "prefer_not");
}

/**
 * How many steps lead from the lowest value to the highest.
 * @param {Scale} scale
 */
export const stepsOf = ({ lower, upper, step }) => (millionths(upper) - millionths(lower)) / millionths(step);

/**
 * The value at a step, in millionths.
 * @param {Scale} scale
 * @param {number} at
 */
export const valueAt = ({ lower, step }, at) => millionths(lower) + at * millionths(step);

/**
 * The bin of a step.
 * @param {Scale} scale
 * @param {number} at
 */
export const binOf = ({ bins }, at) => bins.filter((start) => start <= at).length - 1;

/**
 * A decimal such as "-2.5" in millionths.
 * @param {string} text
 */
export function millionths(text) {
  const [whole, part = ""] = text.replace("-", "").split(".");
  const size = Number(whole + part.padEnd(PLACES, "0"));
  return text.startsWith("-") ? -size : size;
}
