/** Sections: which parts the questions are asked in; the twin is surveys/features/sections/section.py. */

import { checkKeys } from "../../rr/shape.js";

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 * @param {CheckPart[]} features
 */
export function checkSection(parameters, fail, features) {
  const { questions, sections, devices } = /** @type {WithSections} */ (parameters);
  if (!Array.isArray(sections)) fail("not_a_list", "sections");
  if (!sections.length) fail("empty", "sections");
  sections.forEach((section, i) => checkOne(section, (code, key) => fail(code, ["sections", i, key].filter((part) => part !== "").join("."))));
  const together = features.flatMap(({ askedTogether }) => askedTogether?.(parameters) ?? []);
  sections.forEach(({ questions: own, random, moves }, i) => {
    const isParted = (/** @type {string[]} */ names) => new Set(names.map((id) => own.includes(id))).size > 1;
    const drawn = random || moves ? devices.map((device) => device.questions) : [];
    if ([...drawn, ...together].some(isParted)) fail("bad_section", `sections.${i}`);
  });
  const named = sections.flatMap((section) => section.questions);
  if (named.length !== questions.length || questions.some(({ id }, i) => id !== named[i])) fail("unknown_question", "sections");
}

/** @type {NonNullable<CheckPart["mayComeFirst"]>} */
export function mayComeFirst(parameters, later, earlier) {
  const { sections } = /** @type {WithSections} */ (parameters);
  const own = sections.filter(({ questions }) => questions.includes(later) || questions.includes(earlier));
  return own.length > 1 ? own.some(({ moves }) => moves) : own.some(({ random }) => random);
}

/** @type {NonNullable<CheckPart["saidBefore"]>} */
export function saidBefore(parameters) {
  const { sections } = /** @type {WithSections} */ (parameters);
  /** @param {number} place the questions of a section, or of the one that a statement goes with */
  const after = (place) => sections.slice(place).find(({ questions }) => questions.length)?.questions ?? [];
  return Object.fromEntries(sections.flatMap((_, i) => ["title", "text"].map((key) => [`sections.${i}.${key}`, after(i)])));
}

/**
 * @param {Section} section
 * @param {Fail} fail
 */
function checkOne(section, fail) {
  checkKeys(section, ["title", "text", "questions", "together", "random", "moves"], [], fail);
  const { title, text, questions, together, random, moves } = section;
  if (typeof title !== "string") fail("bad_text", "title");
  if (typeof text !== "string") fail("bad_text", "text");
  if (!Array.isArray(questions)) fail("not_a_list", "questions");
  if (typeof together !== "boolean") fail("not_a_boolean", "together");
  if (typeof random !== "boolean") fail("not_a_boolean", "random");
  if (typeof moves !== "boolean") fail("not_a_boolean", "moves");
  if (!questions.length && (together || random || moves || !(title || text))) fail("bad_section", "");
}
