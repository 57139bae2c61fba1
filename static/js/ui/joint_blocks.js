import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { Session } from "../lib/session.js";
import { memoryStore } from "../lib/store.js";
import { PAGE, checkDevice } from "../rr/device.js";
import * as joint from "../rr/joint.js";
import { example, pictures, practiceCard, practiceQuestion, statement } from "./explain.js";
import { JointDraw } from "./joint_draw.js";
import { arrays, codeList, rangeName, togetherWords } from "./joint_words.js";


// Joint questions, which are answered one by one and sent as one report.

const MOST_PRACTICE = 3;

const words = {
  act: gettext("Spin"),
  missing: gettext("Spin before you go on."),
  once: gettext("You spin once for all of them. Spinning again and again would wear your protection down."),
  noProof: gettext("So the codes prove nothing about any answer."),
  same: gettext("Can people with different answers send the same codes?"),
};

// Its blocks have the pictures of their own that a block of one question takes from here.
export const look = /** @type {Look} */ (/** @type {unknown} */ ({ words, arrays, row, before }));

/**
 * The questions of a joint device, and their numbers.
 * @param {SurveyParameters} parameters
 * @param {AnyDevice} device
 */
function membersOf({ questions }, { questions: names }) {
  const members = questions.filter(({ id }) => names.includes(id));
  return { members, numbers: members.map((question) => questions.indexOf(question) + 1) };
}

/**
 * The blocks of all joint questions, by question.
 * @param {import("./flow.js").Flow} flow
 * @returns {Map<string, Block>}
 */
export function blocks(flow) {
  const { parameters, session, options } = flow;
  const draws = parameters.devices.filter(joint.isJoint).map((device) => {
    const { members, numbers } = membersOf(parameters, device);
    return new JointDraw(device, members, {
      numbers,
      parts: options.parts,
      session,
      words,
      count: parameters.questions.length,
      goTo: options.together ? undefined : (number) => flow.goTo(number - 1),
      onTrouble: (error) => flow.trouble(error),
      onResolved: () => flow.pager.warn(""),
      again: () => againWords(session.stored.earlier, device, numbers),
    });
  });
  return new Map(draws.flatMap(({ blocks: members }) => members.map((block) => [block.question.id, block])));
}

/**
 * The note that whoever comes back sends the same joint report in all waves: nothing is asked or drawn.
 * @param {EarlierReports | undefined} earlier
 * @param {AnyDevice} device
 * @param {number[]} numbers
 */
function againWords(earlier, { id }, numbers) {
  if (!earlier || !Object.hasOwn(earlier.reports, id)) return null;
  const text = gettext(
    "%(questions)s were sent together in wave %(wave)s. The same codes are sent again, so you need not answer them: sent twice, they tell no more than sent once.",
  );
  return interpolate(text, { questions: rangeName(numbers), wave: earlier.wave });
}

/**
 * The codes that were sent before for joint questions, at the first of them.
 * @type {NonNullable<Look["before"]>}
 */
function before(question, device, report, parameters) {
  if (device.questions[0] !== question.id) return null;
  const { members, numbers } = membersOf(parameters, device);
  const name = interpolate(gettext("%(questions)s were sent together"), { questions: rangeName(numbers) });
  return { name, list: codeList(device, members, /** @type {number[]} */ (report)) };
}

/**
 * The explanation of what chance does to joint questions, and to the others; practice with the joint ones.
 * @param {QuestionDevices} pair the first of them
 * @param {Parts} parts
 * @param {(error?: unknown) => void} onTrouble
 * @param {SurveyParameters} parameters
 */
export function explanation({ question, devices: [device] }, parts, onTrouble, parameters) {
  const { members, numbers } = membersOf(parameters, device);
  const covered = new Set(parameters.devices.filter(joint.isJoint).flatMap(({ questions }) => questions));
  const others = parameters.questions.filter(({ id }) => !covered.has(id));
  const single = example({ ...parameters, questions: others });
  return [
    el("p", {}, togetherWords(numbers)),
    arrays(question, device),
    single && el("p", {}, gettext("The other scrambled questions are sent one by one. For one of them:")),
    ...(single ? pictures(single, parts) : []),
    el("p", {}, statement(parts, words.noProof)),
    practiceCard(...practice(device, members, parts, onTrouble)),
  ].filter(Boolean);
}

const LIKES = [
  gettext("Do you like rain?"),
  gettext("Do you like snow?"),
  gettext("Do you like wind?"),
];
const PICKS = [gettext("Pick any number."), gettext("Pick another number."), gettext("Pick one more number.")];

/**
 * Practice with the same device; of many questions it has the first ones, whose codes have the chances that they
 * have among all of them.
 * @param {AnyDevice} device
 * @param {Question[]} members
 * @param {Parts} parts
 * @param {(error?: unknown) => void} onTrouble
 */
function practice(device, members, parts, onTrouble) {
  const [likes, picks] = [[...LIKES], [...PICKS]];
  const questions = members.slice(0, MOST_PRACTICE).map((question) => ({
    ...practiceQuestion(question, parts),
    text: (question.control === "yes_no" ? likes : picks).shift() ?? "",
  }));
  const draw = new JointDraw(practiceDevice(device, questions.length), questions, {
    numbers: questions.map((_, i) => i + 1),
    parts,
    // No report of the practice is stored, sent or mixed with the survey's.
    session: new Session({ devices: [], digest: "" }, memoryStore()),
    words,
    onTrouble,
    practice: true,
  });
  return draw.blocks.map(({ node }) => node);
}

/**
 * @param {AnyDevice} device
 * @param {number} count
 */
function practiceDevice(device, count) {
  if (count === device.questions.length) return device;
  const { family, look: name, epsilon } = device;
  const table = joint.marginOf(/** @type {JointTable} */ (device.table), count);
  const served = { id: "practice", questions: device.questions.slice(0, count), option: null, stratum: PAGE, family };
  const plain = { delta: null, instructions: [], search: null, earlier: [] };
  return checkDevice({ ...served, look: name, table, epsilon, ...plain }, new Map([["joint", /** @type {CheckPart} */ (joint)]]));
}

/**
 * The row of what was sent for joint questions, at the first of them.
 * @param {Question} question
 * @param {AnyDevice} device
 * @param {Reports} reports
 * @param {Look} _look
 * @param {SurveyParameters} parameters
 */
function row(question, device, reports, _look, parameters) {
  if (device.questions[0] !== question.id) return null;
  const { members, numbers } = membersOf(parameters, device);
  const codes = /** @type {number[] | undefined} */ (reports[device.id]);
  const questions = rangeName(numbers);
  const value = codes ? JSON.stringify(codes) : gettext("left out");
  const meaning = codes
    ? [interpolate(gettext("%(questions)s, scrambled by one draw:"), { questions }), codeList(device, members, codes)]
    : [gettext("Nothing was sent for these questions."), el("ul", {}, ...members.map(({ text }) => el("li", {}, text)))];
  const [lead, list] = meaning;
  const name = el("dt", {}, el("code", {}, `reports.${device.id}: `), el("code", { class: "fields__value" }, value));
  return el("div", {}, name, el("dd", {}, el("span", { class: "small quiet" }, lead), list));
}
