/** Control items: scrambled questions of which it is known how many people could truly say yes. */

import { parseDecimal } from "../../rr/exact.js";

const ONE = 10n ** 12n;

/**
 * Whether everybody has to be asked a question in the same way.
 * @param {WithKnownShare} question
 */
export const askedAlike = ({ known }) => known !== null;

/**
 * The share of Yes is known of a scrambled question that has a draw of its own; the twin is
 * surveys/features/control_items/section.py.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection({ questions, devices }, fail) {
  /** @type {WithKnownShare[]} */ (questions).forEach(({ id, known, control, randomized, categories }, i) => {
    if (known === null) return;
    const share = parseDecimal(known);
    if (share === null) fail("not_a_decimal", `questions.${i}.known`);
    const joint = devices.some((device) => device.questions.length > 1 && device.questions.includes(id));
    if (share > ONE || control !== "yes_no" || !randomized || categories.length > 2 || joint) fail("bad_known", `questions.${i}.known`);
  });
}
