/** Texts in one's own words; the twin is surveys/features/free_texts/section.py. */

import { checkKeys, isCode, isName } from "../../rr/shape.js";

const [MOST, LONGEST] = [5, 1000];

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection(parameters, fail) {
  const { questions, free_texts: texts } = /** @type {WithFreeTexts} */ (parameters);
  if (!Array.isArray(texts)) fail("not_a_list", "free_texts");
  if (!texts.length) fail("empty", "free_texts");
  if (texts.length > MOST) fail("wrong_length", "free_texts");
  const taken = questions.map(({ id }) => id);
  texts.forEach((each, i) => {
    /** @type {Fail} */
    const failHere = (code, key) => fail(code, ["free_texts", i, key].filter((part) => part !== "").join("."));
    checkKeys(each, ["id", "text", "characters"], [], failHere);
    const { id, text, characters } = each;
    if (!isName(id) || id.length > 32) failHere("bad_name", "id");
    if (typeof text !== "string" || !text) failHere("bad_text", "text");
    if (!isCode(characters) || characters < 1 || characters > LONGEST) failHere("bad_number", "characters");
    if (taken.includes(id)) failHere("duplicate", "id");
    taken.push(id);
  });
}
