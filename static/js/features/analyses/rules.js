/**
 * Analyses that are declared before anybody answers, and the margins of the population to weight to.
 * surveys/features/analyses/section.py has the same rules.
 */

import { parseDecimal } from "../../rr/exact.js";
import { checkKeys, isCode, isName } from "../../rr/shape.js";
import { answerCount, isSeveral, isUnlisted } from "../../rr/wire.js";

const KEYS = ["name", "outcome", "event", "link", "predictors", "weighted"];
const LINKS = ["logit", "probit", "cloglog", "identity"];
const [MOST_ANALYSES, MOST_PREDICTORS, MOST_IN_A_NAME, MOST_MARGINS] = [10, 8, 80, 6];
const ONE = 10n ** 12n;

/** @typedef {(name: string) => Question | undefined} Find a question by its id */

/**
 * Whether one answer out of a list is true.
 * @param {Question | undefined} question
 * @returns {question is Question}
 */
const isListed = (question) =>
  question !== undefined && !isSeveral(question) && !isUnlisted(question) && question.scale?.bins.length !== 0;

/** @param {Question} question @returns whether its answers can stand for numbers */
const hasScores = (question) => question.control !== "list" && answerCount(question) === question.categories.length;

/**
 * @param {string} prefix
 * @param {Fail} fail
 * @returns {Fail}
 */
const failAt = (prefix, fail) => (code, field) => fail(code, field ? `${prefix}.${field}` : prefix);

/**
 * @param {unknown} list
 * @param {number} most
 * @param {string} field
 * @param {Fail} fail
 */
function checkLength(list, most, field, fail) {
  if (!Array.isArray(list)) fail("not_a_list", field);
  if (!list.length || list.length > most) fail("wrong_length", field);
}

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection(parameters, fail) {
  const { analyses, weighting, questions } = parameters;
  /** @type {Find} */
  const find = (name) => questions.find(({ id }) => id === name);
  if (!Array.isArray(analyses)) fail("not_a_list", "analyses");
  if (analyses.length) {
    checkTogether(parameters, "analyses", fail);
    checkLength(analyses, MOST_ANALYSES, "analyses", fail);
  }
  analyses.forEach((analysis, i) => checkAnalysis(analysis, find, failAt(`analyses.${i}`, fail)));
  if (new Set(analyses.map(({ name }) => name)).size < analyses.length) fail("duplicate", "analyses");
  analyses.forEach((analysis, i) => checkJoint(analysis, parameters, failAt(`analyses.${i}`, fail)));
  if (weighting !== null) {
    checkTogether(parameters, "weighting", fail);
    checkWeighting(weighting, find, failAt("weighting", fail));
  } else {
    const weighted = analyses.findIndex((analysis) => analysis.weighted);
    if (weighted >= 0) fail("bad_analysis", `analyses.${weighted}.weighted`);
  }
}

/**
 * All answers of a person are needed.
 * @param {SurveyParameters} parameters
 * @param {string} field
 * @param {Fail} fail
 */
function checkTogether({ linkage }, field, fail) {
  if (linkage !== "together") fail("not_together", field);
}

/**
 * @param {Analysis} analysis
 * @param {Find} find
 * @param {Fail} fail
 */
function checkAnalysis(analysis, find, fail) {
  checkKeys(analysis, KEYS, [], fail);
  const { name, outcome, event, link, predictors, weighted } = analysis;
  if (typeof name !== "string" || !name || [...name].length > MOST_IN_A_NAME) fail("bad_text", "name");
  if (!LINKS.includes(link)) fail("bad_choice", "link");
  if (typeof weighted !== "boolean") fail("not_a_boolean", "weighted");
  const asked = find(outcome);
  if (!isName(outcome)) fail("bad_name", "outcome");
  if (!isListed(asked)) fail("bad_analysis", "outcome");
  checkEvent(event, link, asked.categories.length, fail);
  checkLength(predictors, MOST_PREDICTORS, "predictors", fail);
  const used = [outcome];
  predictors.forEach((predictor, i) => {
    /** @type {Fail} */
    const failHere = failAt(`predictors.${i}`, fail);
    checkKeys(predictor, ["question", "scored"], [], failHere);
    const question = find(predictor.question);
    if (typeof predictor.scored !== "boolean") failHere("not_a_boolean", "scored");
    if (!isName(predictor.question)) failHere("bad_name", "question");
    if (!isListed(question) || used.includes(question.id)) failHere("bad_analysis", "question");
    if (predictor.scored && !hasScores(question)) failHere("bad_analysis", "scored");
    used.push(question.id);
  });
}

/**
 * Some answers count as the event, and not all; without any, all are told apart.
 * @param {number[]} event
 * @param {string} link
 * @param {number} categories
 * @param {Fail} fail
 */
function checkEvent(event, link, categories, fail) {
  if (!Array.isArray(event)) fail("not_a_list", "event");
  if (!event.every(isCode)) fail("bad_number", "event");
  const rising = event.every((code, i) => code < categories && (!i || code > event[i - 1]));
  if (!rising || event.length === categories) fail("bad_analysis", "event");
  if (!event.length && categories < 3) fail("bad_analysis", "event");
  if (!event.length && link !== "logit") fail("bad_analysis", "link");
}

/**
 * Joint reports come from one draw, so they do not scramble its answers apart.
 * @param {Analysis} analysis
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkJoint({ outcome, predictors }, { devices }, fail) {
  const used = [outcome, ...predictors.map(({ question }) => question)];
  for (const device of devices) {
    if (device.questions.filter((name) => used.includes(name)).length > 1) fail("bad_analysis", "predictors");
  }
}

/**
 * @param {Weighting} weighting
 * @param {Find} find
 * @param {Fail} fail
 */
function checkWeighting(weighting, find, fail) {
  checkKeys(weighting, ["margins"], [], fail);
  const { margins } = weighting;
  checkLength(margins, MOST_MARGINS, "margins", fail);
  /** @type {string[]} */
  const used = [];
  margins.forEach((margin, i) => {
    /** @type {Fail} */
    const failHere = failAt(`margins.${i}`, fail);
    checkKeys(margin, ["question", "shares"], [], failHere);
    const question = find(margin.question);
    if (!isName(margin.question)) failHere("bad_name", "question");
    if (!isListed(question) || question.randomized || used.includes(question.id)) failHere("bad_weighting", "question");
    checkShares(margin.shares, question.categories.length, failHere);
    used.push(question.id);
  });
}

/**
 * A share of the population for each category.
 * @param {string[]} shares
 * @param {number} categories
 * @param {Fail} fail
 */
function checkShares(shares, categories, fail) {
  if (!Array.isArray(shares)) fail("not_a_list", "shares");
  const units = shares.map(parseDecimal);
  if (units.includes(null)) fail("not_a_decimal", "shares");
  if (shares.length !== categories) fail("wrong_length", "shares");
  if (units.reduce((/** @type {bigint} */ sum, share) => sum + (share ?? 0n), 0n) !== ONE) fail("wrong_sum", "shares");
  if (units.filter((share) => share).length < 2) fail("bad_weighting", "shares");
}
