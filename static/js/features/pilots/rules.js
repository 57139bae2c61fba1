/**
 * Random pairs: each person is asked one pair of the questions, which chance picks. Each is a stratum
 * of one device; surveys/features/pilots/section.py has the twin of the rules.
 */

import { PAGE } from "../../rr/device.js";
import { checkQuestions } from "../../rr/joint.js";
import { uniformBelow } from "../../rr/random.js";

export const PAIR = "pair";
const [LEAST, MOST] = [3, 20];

/** @param {AnyDevice} device whether it is for people whom chance picks for it */
export const isPair = ({ table, stratum }) => table.form === "joint" && stratum !== PAGE;

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection({ questions, devices, tables }, fail) {
  const pairs = devices.filter(isPair);
  devices.forEach((device, i) => {
    if (isPair(device)) checkPair(device, questions, (code, part) => fail(code, `devices.${i}.${part}`));
  });
  const names = questions.map(({ id }) => id).filter((id) => pairs.some((pair) => pair.questions.includes(id)));
  if (names.length < LEAST || names.length > MOST) fail("bad_pairs", "devices");
  const all = names.flatMap((first, i) => names.slice(i + 1).map((second) => `${first} ${second}`));
  if (pairs.map((pair) => pair.questions.join(" ")).join() !== all.join()) fail("bad_pairs", "devices");
  const others = devices.filter((device) => !isPair(device)).flatMap((device) => device.questions);
  questions.forEach(({ id }, i) => {
    if (names.includes(id) && others.includes(id)) fail("not_covered", `questions.${i}`);
  });
  (Array.isArray(tables) ? tables : []).forEach((table, i) => {
    if (Array.isArray(table) && table.some((id) => names.includes(id))) fail("bad_table", `tables.${i}`);
  });
}

/**
 * @param {AnyDevice} device
 * @param {Question[]} questions
 * @param {Fail} fail
 */
function checkPair(device, questions, fail) {
  const { id, questions: names, option, stratum } = device;
  if (names.length !== 2) fail("bad_pairs", "questions");
  const places = names.map((name) => questions.findIndex((question) => question.id === name));
  if (places.includes(-1)) fail("unknown_question", "questions");
  if (places[0] >= places[1]) fail("bad_pairs", "questions");
  if (id !== PAIR) fail("bad_name", "id");
  if (stratum !== `pair_${places[0] + 1}_${places[1] + 1}`) fail("bad_pairs", "stratum");
  if (option !== null) fail("bad_option", "option");
  checkQuestions(places.map((place) => questions[place]), device, fail);
}

/**
 * The survey as one person is asked it: chance picks one pair, all alike, whose second question follows
 * its first. The digest is that of the whole.
 * @param {SurveyParameters} parameters
 * @param {string | undefined} stratum of a pair that was picked before
 * @param {RandomBytes} randomBytes
 * @returns {SurveyParameters}
 */
export function withOnePair(parameters, stratum, randomBytes) {
  const pairs = parameters.devices.filter(isPair);
  if (!pairs.length) return parameters;
  const before = pairs.find((pair) => pair.stratum === stratum);
  const picked = before ?? pairs[uniformBelow(pairs.length, randomBytes)];
  const devices = parameters.devices.filter((device) => !isPair(device) || device === picked);
  const paired = new Set(pairs.flatMap((pair) => pair.questions));
  const { questions } = parameters;
  const two = questions.filter(({ id }) => picked.questions.includes(id));
  const asked = questions.flatMap((question) => (question === two[0] ? two : paired.has(question.id) ? [] : [question]));
  return { ...parameters, devices, questions: asked };
}
