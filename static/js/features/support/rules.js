/** Help after distressing questions, and the quick exit. */

import { checkKeys } from "../../rr/shape.js";

const LONGEST_ADDRESS = 300;
const ADDRESS = /^https:\/\/[A-Za-z0-9.-]+(:[0-9]{1,5})?(\/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?$/;

/**
 * The help and the exit of a survey; the twin is surveys/features/support/section.py.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection(parameters, fail) {
  const { questions, support } = /** @type {WithSupport} */ (parameters);
  checkKeys(support, ["text", "after", "exit"], [], (code, key) => fail(code, ["support", key].filter(Boolean).join(".")));
  const { text, after, exit } = support;
  if (typeof text !== "string") fail("bad_text", "support.text");
  if (exit !== null && typeof exit !== "string") fail("bad_text", "support.exit");
  if (!Array.isArray(after)) fail("not_a_list", "support.after");
  if (!(text || exit !== null) || (after.length && !text)) fail("bad_support", "support.text");
  if (exit !== null && (exit.length > LONGEST_ADDRESS || !ADDRESS.test(exit))) fail("bad_address", "support.exit");
  const inOrder = questions.map(({ id }) => id).filter((id) => after.includes(id));
  if (inOrder.length !== after.length || inOrder.some((id, i) => id !== after[i])) fail("unknown_question", "support.after");
}
