/**
 * Arms: chance asks some people in another way. An arm is the stratum of its devices; who is in it reports to
 * these, and to those of the page where it has none. surveys/features/arms/section.py is the twin.
 */

import { PAGE } from "../../rr/device.js";
import { checkKeys, isName } from "../../rr/shape.js";
import { LISTED } from "../../rr/wire.js";

const KEYS = ["stratum", "share"];
const [LEAST, MOST] = [2, 4];
const EVERYBODY = 100;

/**
 * The strata of the arms besides the page's.
 * @param {WithArms} parameters
 */
export const strataOf = ({ arms }) => arms.map(({ stratum }) => stratum).filter((stratum) => stratum !== PAGE);

/**
 * @param {WithArms} parameters
 * @param {Fail} fail
 * @param {CheckPart[]} features that the document uses
 */
export function checkSection(parameters, fail, features) {
  const { arms, devices } = parameters;
  if (!Array.isArray(arms)) fail("not_a_list", "arms");
  checkShape(arms, fail);
  const strata = arms.map(({ stratum }) => stratum);
  const differ = new Set(strata).size === strata.length;
  if (arms.length < LEAST || strata[0] !== PAGE || !differ) fail("bad_arms", "arms");
  strata.forEach((stratum, i) => {
    if (stratum.startsWith("pair_")) fail("bad_arms", `arms.${i}.stratum`);
  });
  if (arms.reduce((sum, { share }) => sum + share, 0) !== EVERYBODY) fail("bad_arms", "arms");
  checkDevices(parameters, fail, features);
  strata.slice(1).forEach((stratum, i) => {
    const ofArm = devices.filter((device) => device.stratum === stratum);
    const direct = ofArm.filter(({ epsilon }) => epsilon === null);
    if (!ofArm.length || (direct.length && direct.length < ofArm.length)) fail("bad_arms", `arms.${i + 1}`);
  });
}

/**
 * @param {Arm[]} arms
 * @param {Fail} fail
 */
function checkShape(arms, fail) {
  if (arms.length > MOST) fail("wrong_length", "arms");
  arms.forEach((arm, i) => {
    /** @type {Fail} */
    const failHere = (code, field) => fail(code, field ? `arms.${i}.${field}` : `arms.${i}`);
    checkKeys(arm, KEYS, [], failHere);
    const { stratum, share } = arm;
    if (!isName(stratum)) failHere("bad_name", "stratum");
    if (!Number.isInteger(share) || share < 1 || share >= EVERYBODY) failHere("bad_number", "share");
  });
}

/**
 * An arm asks scrambled questions of which one listed answer is true, each on its own.
 * @param {WithArms} parameters
 * @param {Fail} fail
 * @param {CheckPart[]} features
 */
function checkDevices(parameters, fail, features) {
  const { questions, devices } = parameters;
  const strata = strataOf(parameters);
  devices.forEach((device, i) => {
    if (!strata.includes(device.stratum)) return;
    const question = questions.find(({ id }) => id === device.questions[0]);
    if (question) {
      const listed = LISTED.includes(question.control) && device.table.form !== "joint";
      const alike = features.some((feature) => feature.askedAlike?.(question));
      if (!question.randomized || !listed || alike) fail("bad_arms", `devices.${i}.questions`);
    }
    if (device.search !== null) fail("bad_search", `devices.${i}.search`);
  });
}

/**
 * The survey as somebody in this arm is asked it: a question that is asked directly there is not scrambled,
 * and nobody has to answer it. The digest is that of the whole.
 * @param {SurveyParameters} parameters
 * @param {string} arm
 * @returns {SurveyParameters}
 */
export function inArm(parameters, arm) {
  const own = parameters.devices.filter(({ stratum }) => stratum === arm);
  const devices = parameters.devices.filter(
    (device) => own.includes(device) || (device.stratum === PAGE && !own.some(({ id }) => id === device.id)),
  );
  const direct = devices.filter(({ epsilon }) => epsilon === null).map(({ questions: [id] }) => id);
  const questions = parameters.questions.map((question) =>
    question.randomized && direct.includes(question.id) ? { ...question, randomized: false, required: false } : question,
  );
  return { ...parameters, devices, questions };
}
