import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import * as joint from "../rr/joint.js";
import { JointDraw } from "./joint_draw.js";
import { codeList, rangeName } from "./joint_words.js";

export { codeList, drawing, letters, numbers, togetherWords, who } from "./joint_words.js";


// Joint questions, which are answered one by one and sent as one report.

const words = {
  act: gettext("Spin"),
  missing: gettext("Spin before you go on."),
  once: gettext("You spin once for all of them. Spinning again and again would wear your protection down."),
  noProof: gettext("So the letters prove nothing about any answer."),
  same: gettext("Can people with different answers send the same letters?"),
};

// Its blocks have the pictures of their own that a block of one question takes from here.
export const look = /** @type {Look} */ (/** @type {unknown} */ ({ words, row, before }));

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
  // Some have blocks of another sort.
  const isOwn = (/** @type {AnyDevice} */ { questions: [first] }) => !options.parts.units?.some((names) => names.includes(first));
  const draws = parameters.devices.filter((device) => joint.isJoint(device) && isOwn(device)).map((device) => {
    const { members, numbers } = membersOf(parameters, device);
    const first = flow.beside(numbers[0] - 1);
    return new JointDraw(device, members, {
      numbers,
      parts: options.parts,
      session,
      words,
      count: parameters.questions.length,
      isShared: (number) => flow.beside(number - 1).length > 1,
      goTo: numbers.every((number) => first.includes(number - 1)) ? undefined : (number) => flow.goTo(number - 1),
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
export function againWords(earlier, { id }, numbers) {
  if (!earlier || !Object.hasOwn(earlier.reports, id)) return null;
  const text = gettext(
    "%(questions)s were sent together in wave %(wave)s. The same letters are sent again, so you need not answer them. Sent twice, they tell no more than sent once.",
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
 * The table of one question of a joint device, as if it were sent alone: its letters have the same chances.
 * @param {AnyDevice} device
 * @returns {CodedTable}
 */
export function tableOfFirst({ table }) {
  const { denominator, parts: [reports], weights: [kept, other] } = joint.marginOf(/** @type {JointTable} */ (table), 1);
  return /** @type {CodedTable} */ ({ form: "uniform", reports, denominator, kept, other });
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
