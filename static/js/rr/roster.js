/**
 * Surveys by personal link: a roster, and questions about it. It is known who answered, so nothing is sent
 * as it is. surveys/parameters/personal.py and rosters.py have the same rules.
 */

import { checkKeys, isCode, isRecord } from "./shape.js";

const KEYS = ["codes", "groups", "group_of"];
const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;
const HANDLE = /^[0-9a-f]{32}$/;
const [FEWEST_MEMBERS, MOST_MEMBERS] = [3, 1000];
const [FEWEST_GROUPS, MOST_GROUPS] = [2, 50];

/** @param {Question} question */
export const isRoster = ({ control }) => control === "roster";

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkRoster({ mode, roster, questions, devices }, fail) {
  const personal = mode === "personal";
  if (personal !== (roster !== null)) fail("bad_roster", "roster");
  if (personal !== questions.some(isRoster)) fail("not_personal", "mode");
  if (!roster) return;
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

/**
 * Checks a question about a roster, whose answers are the members of the roster.
 * @param {Question} question
 * @param {Fail} fail
 */
export function checkQuestion({ categories, prefer_not: refusal, directed }, fail) {
  if (!Array.isArray(categories) || categories.length || refusal) fail("wrong_length", "categories");
  if (typeof directed !== "boolean") fail("bad_roster", "directed");
}

/**
 * The server's statement about whoever has a link, as it is used here.
 * @param {unknown} answer
 * @param {Roster} roster
 * @returns {Person | null} null where it does not fit the roster
 */
export function personOf(answer, { codes }) {
  if (!isRecord(answer)) return null;
  const { member, handle, names, answered } = answer;
  const place = codes.indexOf(String(member));
  if (place < 0 || typeof answered !== "boolean" || !HANDLE.test(String(handle))) return null;
  if (names !== null && !(Array.isArray(names) && names.length === codes.length)) return null;
  if (names?.some((name) => typeof name !== "string")) return null;
  return { member: codes[place], handle: String(handle), place, names, answered };
}
