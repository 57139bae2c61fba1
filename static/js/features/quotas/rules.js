/** Quotas: how many responses of people with some direct answers are wanted. */

import { checkKeys, isCode, isRecord } from "../../rr/shape.js";
import { LISTED } from "../../rr/wire.js";

const MOST_QUOTAS = 60;
const BAD = "bad_quota";

/**
 * The twin is surveys/features/quotas/section.py.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 * @param {CheckPart[]} features
 */
export function checkSection(parameters, fail, features) {
  const { quotas, linkage, release_threshold: threshold } = /** @type {WithQuotas} */ (parameters);
  if (!Array.isArray(quotas)) fail("not_a_list", "quotas");
  if (!quotas.length) fail("empty", "quotas");
  if (quotas.length > MOST_QUOTAS) fail("wrong_length", "quotas");
  quotas.forEach((quota, i) => {
    /** @type {Fail} */
    const inside = (code, key) => fail(code, [`quotas.${i}`, key].filter(Boolean).join("."));
    checkKeys(quota, ["given", "wanted"], [], inside);
    const { given, wanted } = quota;
    if (!Array.isArray(given)) inside("not_a_list", "given");
    if (given.length < 1 || given.length > 2) inside("wrong_length", "given");
    const places = given.map((each) => checkGiven(each, parameters, inside, features));
    if (places.length > 1 && places[1] <= places[0]) inside(BAD, "given");
    if (!isCode(wanted)) inside("bad_number", "wanted");
    if (wanted > 0 && wanted < threshold) inside(BAD, "wanted");
  });
  if (quotas.some(({ given }) => given.length > 1) && linkage !== "together") fail("not_together", "quotas");
}

/**
 * @param {Quota["given"][number]} given
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 * @param {CheckPart[]} features
 * @returns {number} the place of the question
 */
function checkGiven(given, parameters, fail, features) {
  if (!isRecord(given)) fail("not_an_object", "given");
  checkKeys(given, ["question", "answers"], [], (code) => fail(code, "given"));
  const { question: name, answers } = given;
  const { questions } = parameters;
  const place = questions.findIndex(({ id }) => id === name);
  if (place < 0) fail("unknown_question", "given");
  if (!Array.isArray(answers)) fail("not_a_list", "given");
  if (!answers.length) fail("empty", "given");
  if (!answers.every(isCode)) fail("bad_number", "given");
  const { categories, randomized, required, control } = questions[place];
  const rising = answers.every((answer, i) => i === 0 || answer > answers[i - 1]);
  if (!rising || answers[answers.length - 1] >= categories.length) fail(BAD, "given");
  if (randomized || !required || !LISTED.includes(control)) fail(BAD, "given");
  const isEarly = (/** @type {string} */ id) => features.some(({ mayComeFirst }) => mayComeFirst?.(parameters, id, name));
  if (questions.some(({ id, randomized }, i) => randomized && (i < place || isEarly(id)))) fail(BAD, "given");
  return place;
}
