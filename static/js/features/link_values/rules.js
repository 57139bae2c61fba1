/** Values from the link: questions that nobody is asked; the twin is surveys/features/link_values/section.py. */

import { checkKeys } from "../../rr/shape.js";

const BAD = "bad_link";
const VALUE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 * @param {CheckPart[]} features
 */
export function checkSection(parameters, fail, features) {
  const { questions, link_values: found } = /** @type {WithLinkValues} */ (parameters);
  if (!Array.isArray(found)) fail("not_a_list", "link_values");
  if (!found.length) fail("empty", "link_values");
  found.forEach((each, i) => checkShape(each, (code, key) => fail(code, ["link_values", i, key].filter((part) => part !== "").join("."))));
  if (found.length >= questions.length || found.some(({ question }, i) => question !== questions[i].id)) fail(BAD, "link_values");
  found.forEach(({ values }, i) => {
    const { id, control, randomized, prefer_not: refusal, categories } = questions[i];
    const isLeftOut = features.some(({ leavesOut }) => leavesOut?.(parameters, id));
    if (control !== "list" || randomized || refusal || isLeftOut) fail(BAD, `link_values.${i}.question`);
    if (new Set(values).size < values.length) fail("duplicate", `link_values.${i}.values`);
    if (values.length !== categories.length - 1) fail("wrong_length", `link_values.${i}.values`);
  });
}

/**
 * @param {LinkValue} each
 * @param {Fail} fail
 */
function checkShape(each, fail) {
  checkKeys(each, ["question", "values"], [], fail);
  if (!Array.isArray(each.values) || !each.values.length) fail("not_a_list", "values");
  if (!each.values.every((value) => typeof value === "string" && VALUE.test(value))) fail("bad_text", "values");
}
