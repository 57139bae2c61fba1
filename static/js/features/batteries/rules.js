/** Batteries: several items below one text; the twin is surveys/features/batteries/section.py. */

import { checkKeys } from "../../rr/shape.js";
import { LISTED } from "../../rr/wire.js";

const [FEWEST, MOST] = [2, 20];
const BAD = "bad_battery";

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection(parameters, fail) {
  const { batteries, questions } = /** @type {WithBatteries} */ (parameters);
  if (!Array.isArray(batteries)) fail("not_a_list", "batteries");
  if (!batteries.length) fail("empty", "batteries");
  batteries.forEach((battery, i) => checkBattery(battery, parameters, (code, key) => fail(code, key ? `batteries.${i}.${key}` : `batteries.${i}`)));
  const places = batteries.flatMap((battery) => battery.questions.map((id) => placeOf(questions, id)));
  if (places.some((place, i) => i > 0 && place <= places[i - 1])) fail(BAD, "batteries");
}

/** @type {NonNullable<CheckPart["askedTogether"]>} */
export const askedTogether = (parameters) => /** @type {WithBatteries} */ (parameters).batteries.map(({ questions }) => questions);

/** @type {NonNullable<CheckPart["mayComeFirst"]>} */
export const mayComeFirst = (parameters, later, earlier) =>
  /** @type {WithBatteries} */ (parameters).batteries.some(({ random, questions }) => random && [later, earlier].every((id) => questions.includes(id)));

/** @type {NonNullable<CheckPart["saidBefore"]>} */
export const saidBefore = (parameters) =>
  Object.fromEntries(/** @type {WithBatteries} */ (parameters).batteries.map(({ questions }, i) => [`batteries.${i}.text`, questions]));

/** @type {(questions: Question[], id: string) => number} */
const placeOf = (questions, id) => questions.findIndex((question) => question.id === id);

/**
 * @param {Battery} battery
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkBattery(battery, parameters, fail) {
  checkKeys(battery, ["text", "questions", "random"], [], fail);
  const { text, questions: names, random } = battery;
  if (typeof text !== "string") fail("bad_text", "text");
  if (!text) fail("empty", "text");
  if (typeof random !== "boolean") fail("not_a_boolean", "random");
  if (!Array.isArray(names)) fail("not_a_list", "questions");
  const places = names.map((id) => placeOf(parameters.questions, id));
  if (places.includes(-1)) fail("unknown_question", "questions");
  if (names.length < FEWEST || names.length > MOST) fail(BAD, "questions");
  if (places.some((place, i) => place !== places[0] + i)) fail(BAD, "questions");
  const items = places.map((place) => parameters.questions[place]);
  if (!LISTED.includes(items[0].control) || !areAlike(items.map(asked))) fail(BAD, "questions");
  if (!areDrawnAlike(names, parameters.devices)) fail(BAD, "questions");
}

/** What items have in common beside their devices. @param {Question} item */
const asked = ({ control, categories, required, prefer_not, randomized, not_applicable }) =>
  [control, categories, required, prefer_not, randomized, not_applicable === true];

/**
 * @param {string[]} names
 * @param {AnyDevice[]} devices
 */
function areDrawnAlike(names, devices) {
  const own = devices.filter(({ questions }) => questions.some((id) => names.includes(id)));
  if (own.some(({ table }) => table.form === "joint")) return areAlike([names, ...own.map(({ questions }) => questions)]);
  return areAlike(names.map((id) => own.filter(({ questions }) => questions.includes(id)).map(drawn)));
}

/** @param {AnyDevice} device */
const drawn = ({ option, stratum, family, look, table, epsilon, delta, instructions, search, earlier }) =>
  [option, stratum, family, look, table, epsilon, delta, instructions, search, earlier];

/** @param {unknown[]} values */
const areAlike = (values) => new Set(values.map((value) => JSON.stringify(value))).size === 1;
