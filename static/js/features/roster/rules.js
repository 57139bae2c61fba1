/**
 * Surveys by personal link: a roster, and questions about it. It is known who answered, so nothing is sent
 * as it is. surveys/features/roster/section.py is the twin.
 */

import { checkKeys, isCode } from "../../rr/shape.js";
import { MEMBERS } from "../../rr/wire.js";

const KEYS = ["codes", "groups", "group_of"];
const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;
const [FEWEST_MEMBERS, MOST_MEMBERS] = [3, 1000];
const [FEWEST_GROUPS, MOST_GROUPS] = [2, 50];

export const mode = "personal";
/** Questions may be about members because of it. */
export const hasMembers = true;

/**
 * @param {WithRoster} parameters
 * @param {Fail} fail
 */
export function checkSection({ mode: chosen, roster, questions, devices }, fail) {
  if (!roster || chosen !== mode) fail("bad_roster", "roster");
  if (!questions.some(({ control }) => control === MEMBERS)) fail("not_personal", "mode");
  checkMembers(roster, fail);
  questions.forEach(({ randomized }, i) => {
    if (!randomized) fail("not_randomized", `questions.${i}.randomized`);
  });
  devices.forEach(({ table }, i) => {
    if (table.form === "ties" && table.bits !== roster.codes.length - 1) fail("wrong_length", `devices.${i}.table.bits`);
  });
}

/**
 * @param {Roster} roster
 * @param {Fail} fail
 */
function checkMembers(roster, fail) {
  /** @type {Fail} */
  const failHere = (code, field) => fail(code, field ? `roster.${field}` : "roster");
  checkKeys(roster, KEYS, [], failHere);
  const { codes, groups, group_of: groupOf } = roster;
  for (const field of /** @type {const} */ (["codes", "groups", "group_of"])) {
    if (!Array.isArray(roster[field])) failHere("not_a_list", field);
  }
  codes.forEach((code, i) => {
    if (typeof code !== "string" || !CODE.test(code)) failHere("bad_code", `codes.${i}`);
  });
  if (codes.length < FEWEST_MEMBERS || codes.length > MOST_MEMBERS) failHere("bad_number", "codes");
  if (!groups.every((name) => name && typeof name === "string")) failHere("bad_text", "groups");
  if (groups.length && (groups.length < FEWEST_GROUPS || groups.length > MOST_GROUPS)) failHere("wrong_length", "groups");
  for (const [field, names] of Object.entries({ codes, groups })) {
    if (new Set(names).size < names.length) failHere("duplicate", field);
  }
  if (groupOf.length !== (groups.length ? codes.length : 0)) failHere("wrong_length", "group_of");
  const used = new Set(groupOf);
  if (!groupOf.every((group) => isCode(group) && group < groups.length)) failHere("bad_roster", "group_of");
  if (used.size !== groups.length) failHere("bad_roster", "group_of");
}
