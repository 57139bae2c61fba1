/**
/**
 * Checks that only some surveys need: numbers, texts, members, a device for each option, physical randomizers,
 * searches, modes and later waves, deltas, reasons for a large epsilon.
 */

import { CLASHES } from "./clashes.js";
import { isUsed } from "./uses.js";
export { marked } from "./uses.js";
import { PAGE, isDrawn } from "./device.js";
import { isRecord } from "./shape.js";
import { MEMBERS, answerCount, devicesOf, isNumber, isSeveral, isUnlisted, spent, spentOn } from "./wire.js";

// A question or a person with more epsilon than this needs a reason.
const QUESTION_LIMIT = 4n * 10n ** 12n;
const PERSON_LIMIT = 10n * 10n ** 12n;
// The deltas of one person add up to this at most.
const DELTA_LIMIT = 10n ** 11n;
// Modules that check the questions of some controls.
/** @type {Record<string, string>} */
const CHECKED_BY = { number: "scale", text: "bloom", ranking: "ranking", [MEMBERS]: "ties" };
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 * @param {LoadCheck} load
 */
export async function checkRest(parameters, fail, load) {
  await checkControls(parameters, fail, load);
  if (spent(parameters, "delta") > DELTA_LIMIT) fail("over_delta", "devices");
  checkMode(parameters, fail);
  checkWaves(parameters, fail);
  checkReasons(parameters, fail);
}

/**
 * A physical randomizer has instructions; `search` is a record for researchers.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
export function check(device, fail) {
  const { instructions, search, stratum, table } = device;
  const texts = Array.isArray(instructions) && instructions.every((x) => x && typeof x === "string");
  const onPage = stratum === PAGE || table.form === "joint";
  if (!texts || (onPage && instructions.length)) fail("bad_text", "instructions");
  if (search !== null && (!isDrawn(device) || !isRecord(search))) fail("bad_search", "search");
}

/**
 * The sections of features, and that beside the page's there are strata of chance, and of physical randomizers.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 * @param {LoadCheck} load
 * @returns {Promise<string[]>} the strata into which chance puts people
 */
export async function checkSections(parameters, fail, load) {
  for (const [name, others] of Object.entries(CLASHES)) {
    if (isUsed(parameters, name) && others.split(" ").some((other) => isUsed(parameters, other))) fail("clash", name);
  }
  /** @type {string[]} */
  const strata = [];
  const features = await Promise.all(parameters.used.map(async (name) => (await load(name)) ?? fail("not_loaded", name)));
  for (const feature of features) {
    feature.checkSection?.(parameters, fail, features);
    strata.push(...(feature.strataOf?.(parameters) ?? []));
  }
  const known = ["open", ...features.map(({ mode }) => mode)];
  if (!known.includes(parameters.mode)) fail("bad_choice", "mode");
  if (parameters.wave > 1 && !features.some(({ asksAgain }) => asksAgain)) fail("not_pseudonymous", "wave");
  if (parameters.questions.some(({ control }) => control === MEMBERS) && !features.some(({ hasMembers }) => hasMembers)) fail("not_personal", "mode");
  const chained = features.some(({ takesChains }) => takesChains);
  parameters.devices.forEach((device, i) => {
    if (device.steps && !chained) fail("bad_chain", `devices.${i}.table`);
    const ofChance = device.table.form === "joint" || strata.includes(device.stratum);
    if (device.stratum !== PAGE && !ofChance && isDrawn(device)) fail("bad_text", `devices.${i}.instructions`);
  });
  return strata;
}

/** @type {CheckFit} */
export function checkFit(device, question, fail, strata) {
  const { id, option, epsilon, stratum, table, truths } = device;
  const { categories, randomized, scale } = question;
  const several = isSeveral(question);
  const forOption = several && option !== null && Number.isInteger(option) && option in categories;
  if (option !== null && !forOption) fail("bad_option", "option");
  if (id !== (forOption ? `${question.id}_${option + 1}` : question.id)) fail("bad_name", "id");
  const answers = answerCount(question);
  const subsets = 2 ** answers + categories.length - answers;
  // The truths of a ranking are orders: checkControls.
  const isRanking = question.control === "ranking";
  const expected = forOption ? 2 : several ? subsets : categories.length;
  // A device of a number without bins takes every step: checkControls.
  const own = isRanking || table.form === "linear" || truths === null || isUnlisted(question) || (scale && !scale.bins?.length);
  if (!own && truths !== expected) fail("wrong_length", "table");
  // Only a stratum of chance may send the answers to a sensitive question as they are.
  const direct = epsilon === null;
  if (direct === randomized && !(direct && strata.includes(stratum))) fail("bad_choice", "epsilon");
}

/**
 * A question has one device on the page, or one for each option, and the same wherever else it has any.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkCovered(parameters, fail) {
  const { questions, devices } = parameters;
  const others = devices.filter(({ table }) => table.form !== "joint").map(({ stratum }) => stratum);
  /** @param {Device[]} found */
  const idsOf = (found) => found.map(({ id }) => id).join();
  questions.forEach((question, i) => {
    // A feature has checked those that chance picks.
    if (devicesOf(parameters, question).some(({ table, stratum }) => table.form === "joint" && stratum !== PAGE)) return;
    const onPage = devicesOf(parameters, question, PAGE);
    for (const stratum of new Set([PAGE, ...others])) {
      const found = devicesOf(parameters, question, stratum);
      if (stratum !== PAGE && !found.length) continue;
      const single = found.length === 1 && found[0].option === null;
      const each = found.length === question.categories.length && found.every(({ option }, at) => option === at);
      if ((!single && !each) || idsOf(found) !== idsOf(onPage)) fail("not_covered", `questions.${i}`);
    }
  });
}

/**
 * Of those who are told apart the answers are kept together.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkMode({ mode, wave, previous, linkage }, fail) {
  if (previous !== null && !DIGEST.test(previous)) fail("bad_digest", "previous");
  if ((wave === 1) !== (previous === null)) fail("bad_previous", "previous");
  if (mode !== "open" && linkage !== "together") fail("not_together", "mode");
}

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkWaves({ wave, devices }, fail) {
  devices.forEach((device, i) => {
    const waves = device.epsilon === null ? 0 : wave - 1;
    const inOrder = device.earlier.every((entry, at) => entry.wave === at + 1);
    if (device.earlier.length !== waves || !inOrder) fail("bad_earlier", `devices.${i}.earlier`);
  });
}

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 * @param {LoadCheck} load
 */
async function checkControls({ questions, devices }, fail, load) {
  for (const [i, question] of questions.entries()) {
    const { control, scale, characters, directed } = question;
    if (isNumber(question) !== (scale !== null)) fail("bad_scale", `questions.${i}.scale`);
    if ((control === "text") !== (characters !== null)) fail("bad_characters", `questions.${i}.characters`);
    // Whatever has a direction has to be about ties.
    const name = directed === null ? CHECKED_BY[control] : CHECKED_BY[MEMBERS];
    const check = name && ((await load(name))?.checkQuestion ?? fail("not_loaded", name));
    if (check) check(question, (code, field) => fail(code, `questions.${i}.${field}`));
  }
  const scales = questions.some(isNumber) ? await load("scale") : null;
  devices.forEach((device, i) => {
    const question = questions.find(({ id }) => id === device.questions[0]);
    const scale = question?.scale;
    const steps = scale?.bins.length === 0 ? Number(scales?.stepsOf?.(scale)) : null;
    /** @type {(code: string) => never} */
    const failHere = (code) => fail(code, `devices.${i}.table`);
    checkForms(device, steps, failHere);
    if ((device.table.form === "bloom") !== (question?.control === "text")) failHere("bad_form");
    if ((device.table.form === "ties") !== (question?.control === MEMBERS)) failHere("bad_form");
    if ((device.table.form === "ranking") !== (question?.control === "ranking")) failHere("bad_form");
    const { items, refusal } = /** @type {Partial<RankingTable>} */ (device.table);
    const fits = items === Number(question?.categories.length) - Number(question?.prefer_not) && (refusal !== null) === question?.prefer_not;
    if (device.table.form === "ranking" && !fits) failHere("wrong_length");
  });
}

/**
 * Checks that a table is linear, with every step, for a number without bins and for nothing else.
 * @param {Device} device
 * @param {number | null} steps
 * @param {(code: string) => never} fail
 */
function checkForms({ table, truths }, steps, fail) {
  const tables = table.form === "chain" ? table.steps : [table];
  if (tables.some(({ form }) => (form === "linear") !== (steps !== null))) fail("bad_scale");
  if (steps !== null && truths !== steps + 1) fail("wrong_length");
}

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkReasons(parameters, fail) {
  const { reason, questions } = parameters;
  if (typeof reason !== "string") fail("bad_text", "reason");
  /** @type {(above: bigint, text: string) => boolean} */
  const unexplained = (above, text) => above > 0n && !text.trim();
  if (unexplained(spent(parameters) - PERSON_LIMIT, reason)) fail("no_reason", "reason");
  questions.forEach((question, i) => {
    const above = spentOn(parameters, question) - QUESTION_LIMIT;
    if (unexplained(above, question.reason)) fail("no_reason", `questions.${i}.reason`);
  });
}
