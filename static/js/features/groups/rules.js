/**
 * Groups of questions: everybody answers them one by one, and one draw scrambles the answers. A group is
 * its device; surveys/features/groups/section.py is the twin.
 */

import { PAGE } from "../../rr/device.js";
import { checkQuestions, isJoint } from "../../rr/joint.js";

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection({ questions, devices, tables }, fail) {
  const groups = devices.filter((device) => isJoint(device) && device.stratum === PAGE);
  devices.forEach((device, i) => {
    if (groups.includes(device)) checkGroup(device, questions, (code, field) => fail(code, `devices.${i}.${field}`));
  });
  (Array.isArray(tables) ? tables : []).forEach((pair, i) => {
    const inside = groups.some(({ questions: names }) => Array.isArray(pair) && pair.every((id) => names.includes(id)));
    if (inside) fail("bad_table", `tables.${i}`);
  });
}

/**
 * @param {AnyDevice} device
 * @param {Question[]} questions
 * @param {Fail} fail
 */
function checkGroup({ id, questions: names, option, sizes, epsilon }, questions, fail) {
  if (names.length < 2) fail("several_questions", "questions");
  const places = names.map((name) => questions.findIndex((question) => question.id === name));
  if (places.includes(-1)) fail("unknown_question", "questions");
  if (places.some((place, i) => place !== places[0] + i)) fail("bad_group", "questions");
  if (id !== `group_${places[0] + 1}`) fail("bad_name", "id");
  if (option !== null) fail("bad_option", "option");
  checkQuestions(places.map((place) => questions[place]), { sizes, epsilon }, fail);
}
