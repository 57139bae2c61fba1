/**
 * What only some surveys have: a device for each option, physical randomizers, deltas, return codes and
 * later waves, cross-tables, reasons for a large epsilon.
 */

import { PAGE } from "./device.js";
import { isRecord } from "./shape.js";
import { devicesOf, spent, spentOn } from "./wire.js";

// A question or a person with more epsilon than this needs a reason.
const QUESTION_LIMIT = 4n * 10n ** 12n;
const PERSON_LIMIT = 10n * 10n ** 12n;
// The deltas of one person add up to this at most.
const DELTA_LIMIT = 10n ** 11n;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkUncommon(parameters, fail) {
  checkStrata(parameters, fail);
  if (spent(parameters, "delta") > DELTA_LIMIT) fail("over_delta", "devices");
  checkMode(parameters, fail);
  checkWaves(parameters, fail);
  checkTables(parameters, fail);
  checkReasons(parameters, fail);
}

/**
 * A physical randomizer has instructions; `search` is a record for researchers.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
export function check({ stratum, instructions, search }, fail) {
  const texts = Array.isArray(instructions) && instructions.every((x) => x && typeof x === "string");
  if (!texts || (stratum === PAGE) !== (instructions.length === 0)) fail("bad_text", "instructions");
  if (search !== null && (stratum !== PAGE || !isRecord(search))) fail("bad_search", "search");
}

/**
 * A question has one device, or one for each option, and the same in every stratum that has any.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkStrata(parameters, fail) {
  const { questions, devices } = parameters;
  for (const stratum of new Set([PAGE, ...devices.map((device) => device.stratum)])) {
    questions.forEach((question, i) => {
      const drawn = devicesOf(parameters, question, stratum);
      if (stratum !== PAGE && drawn.length === 0) return;
      // With two categories or more, as many devices are the same devices.
      if (drawn.length !== devicesOf(parameters, question).length) fail("not_covered", `questions.${i}`);
      const single = drawn.length === 1 && drawn[0].option === null;
      const each = question.categories.every((_, at) => drawn[at]?.option === at);
      if (!single && (!each || drawn.length > question.categories.length)) {
        fail("not_covered", `questions.${i}`);
      }
    });
  }
}

/**
 * Only those who keep a code can be asked again.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkMode({ mode, wave, previous, linkage }, fail) {
  if (previous !== null && !DIGEST.test(previous)) fail("bad_digest", "previous");
  if ((wave === 1) !== (previous === null)) fail("bad_previous", "previous");
  if (!["open", "pseudonymous"].includes(mode)) fail("bad_choice", "mode");
  if (mode === "open" && wave > 1) fail("not_pseudonymous", "wave");
  if (mode !== "open" && linkage !== "together") fail("not_together", "mode");
}

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkWaves({ mode, wave, devices }, fail) {
  devices.forEach((device, i) => {
    if (mode !== "open" && device.stratum !== PAGE) fail("not_on_page", `devices.${i}.stratum`);
    const waves = device.epsilon === null ? 0 : wave - 1;
    const inOrder = device.earlier.every((entry, at) => entry.wave === at + 1);
    if (device.earlier.length !== waves || !inOrder) fail("bad_earlier", `devices.${i}.earlier`);
  });
}

/**
 * Cross-tables need the reports of one person together.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
function checkTables({ tables, linkage, questions }, fail) {
  if (tables.length > 0 && linkage !== "together") fail("not_together", "tables");
  const names = questions.map(({ id }) => id);
  tables.forEach((pair, i) => {
    const isPair = Array.isArray(pair) && pair.length === 2 && pair[0] !== pair[1];
    if (!isPair || !pair.every((id) => names.includes(id))) fail("bad_table", `tables.${i}`);
  });
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
