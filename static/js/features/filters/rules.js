/** Filters: questions that are for some people only. */

import { checkKeys, isCode, isRecord } from "../../rr/shape.js";
import { millionths, stepsOf, valueAt } from "../../rr/scale.js";
import { LISTED } from "../../rr/wire.js";

const MOST_COMPARISONS = 10;
const DECIMAL = /^(0|-?[1-9][0-9]{0,8}|-?(0|[1-9][0-9]{0,8})\.[0-9]{0,5}[1-9])$/;
const BAD = "bad_filter";

/**
 * The filters of a survey; the twin is surveys/features/filters/section.py.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 * @param {CheckPart[]} features
 */
export function checkSection(parameters, fail, features) {
  const { questions, filters } = /** @type {WithFilters} */ (parameters);
  if (!Array.isArray(filters)) fail("not_a_list", "filters");
  if (!filters.length) fail("empty", "filters");
  const places = new Map(questions.map(({ id }, place) => [id, place]));
  filters.forEach((each, i) => checkFilter(each, parameters, places, inside(fail, `filters.${i}`)));
  const isMoved = (/** @type {string} */ later, /** @type {string} */ earlier) =>
    features.some(({ mayComeFirst }) => mayComeFirst?.(parameters, later, earlier));
  filters.forEach(({ question, any }, i) => {
    if (any.flat().some(({ question: source }) => isMoved(question, source))) fail(BAD, `filters.${i}.any`);
  });
  const order = filters.map(({ question }) => places.get(question) ?? -1);
  if (order.some((place, i) => i > 0 && place <= order[i - 1])) fail(BAD, "filters");
  const found = (/** @type {string} */ id) => filters.find(({ question }) => question === id);
  const saying = (/** @type {string} */ id) => JSON.stringify([found(id)?.any, found(id)?.unasked]);
  for (const names of features.flatMap(({ askedTogether }) => askedTogether?.(parameters) ?? [])) {
    if (new Set(names.map(saying)).size > 1) fail(BAD, "filters");
  }
  const reporting = filters.filter(({ unasked }) => !unasked).map(({ question }) => question);
  questions.forEach(({ id, not_applicable: marked }, i) => {
    if ((marked === true) !== reporting.includes(id)) fail(BAD, `questions.${i}.not_applicable`);
  });
}

/** @type {NonNullable<CheckPart["leavesOut"]>} */
export const leavesOut = (parameters, question) =>
  /** @type {WithFilters} */ (parameters).filters.some((each) => each.question === question && each.unasked);

/** @type {(fail: Fail, prefix: string) => Fail} */
const inside = (fail, prefix) => (code, field) => fail(code, [prefix, field].filter(Boolean).join("."));

/**
 * @param {Filter} filter
 * @param {SurveyParameters} parameters
 * @param {Map<string, number>} places of the questions
 * @param {Fail} fail
 */
function checkFilter(filter, parameters, places, fail) {
  checkKeys(filter, ["question", "any", "unasked"], [], fail);
  const { question: name, any, unasked } = filter;
  if (typeof unasked !== "boolean") fail("not_a_boolean", "unasked");
  const place = places.get(name);
  const question = place !== undefined && parameters.questions[place];
  if (!question) return fail("unknown_question", "question");
  const isFilled = Array.isArray(any) && any.length && any.every((every) => Array.isArray(every) && every.length);
  if (!isFilled) fail("empty", "any");
  const comparisons = any.flat();
  if (isSentTogether(question, parameters)) fail(BAD, "question");
  if (comparisons.length > MOST_COMPARISONS) fail(BAD, "any");
  const sources = comparisons.map((each) => checkComparison(each, parameters, places, place, fail));
  if (unasked && sources.some(({ randomized }) => randomized)) fail(BAD, "unasked");
  if (unasked && sources.some(({ scale }, i) => scale && divides(comparisons[i], scale))) fail(BAD, "any");
  const direct = parameters.devices.some(({ questions, epsilon }) => epsilon === null && questions.includes(name));
  if (!unasked && (!takesNotApplicable(question) || direct || !question.required)) fail(BAD, "question");
}

/**
 * @param {Comparison} comparison
 * @param {SurveyParameters} parameters
 * @param {Map<string, number>} places
 * @param {number} before the place of the question that has the filter
 * @param {Fail} fail
 * @returns {Question} the one whose answer is compared
 */
function checkComparison(comparison, parameters, places, before, fail) {
  if (!isRecord(comparison)) fail("not_an_object", "any");
  checkKeys(comparison, ["question", "answers", "above", "below", "negated"], [], fail);
  const { question: name, answers, above, below, negated } = comparison;
  const place = places.get(name) ?? before;
  const source = parameters.questions[place];
  if (place >= before || isSentTogether(source, parameters)) fail(BAD, "any");
  if (typeof negated !== "boolean") fail("not_a_boolean", "any");
  if (!Array.isArray(answers)) fail("not_a_list", "any");
  if (!answers.every(isCode)) fail("bad_number", "any");
  const bounds = [above, below].filter((bound) => bound !== null);
  if (!bounds.every((bound) => typeof bound === "string" && DECIMAL.test(bound))) fail("not_a_decimal", "any");
  const rising = answers.every((answer, i) => i === 0 || answer > answers[i - 1]);
  const last = answers[answers.length - 1];
  const isListed = LISTED.includes(source.control) || source.control === "boxes";
  const fits = source.control === "number"
    ? bounds.length && !answers.length && !(bounds.length === 2 && Number(above) >= Number(below))
    : isListed && !bounds.length && answers.length && rising && last < source.categories.length;
  if (!fits) fail(BAD, "any");
  return source;
}

/**
 * Whether a comparison tells more of a number than its bin.
 * @param {Comparison} comparison
 * @param {Scale} scale
 */
function divides({ above, below }, scale) {
  const steps = stepsOf(scale);
  /** @param {number} step */
  const isInside = (step) => {
    const number = valueAt(scale, step);
    return (above === null || number > millionths(above)) && (below === null || number < millionths(below));
  };
  for (let step = 1; step <= steps; step++) {
    if (!scale.bins.includes(step) && isInside(step) !== isInside(step - 1)) return true;
  }
  return false;
}

/**
 * Whether “does not apply” can be one of the answers.
 * @param {Question} question
 */
const takesNotApplicable = ({ randomized, control, scale }) =>
  randomized && (LISTED.includes(control) || Boolean(control === "number" && scale?.bins.length));

/**
 * @param {Question} question
 * @param {SurveyParameters} parameters
 */
const isSentTogether = ({ id }, { devices }) =>
  devices.some(({ table, questions }) => table.form === "joint" && questions.includes(id));
