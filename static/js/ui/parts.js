import { gettext } from "../lib/i18n.js";
import { need } from "../lib/late.js";
import { devicesOf, isPlain, spentOn } from "../rr/wire.js";
import * as few from "./frequencies.js";
import { result, wheel } from "./wheel.js";

const WHEEL = {
  words: {
    act: gettext("Spin"),
    missing: gettext("Spin before you go on."),
    once: gettext("You spin once. Spinning again and again would wear your protection down."),
    noProof: gettext("No letter proves an answer."),
    same: gettext("Can people with different answers send the same letter?"),
  },
  nameOf: (/** @type {string} */ letter) => letter,
  chance: wheel,
  result,
};
const FEW = { ...WHEEL, ...few };

/** @param {Device} device */
const isMany = ({ epsilon, look, reports }) => epsilon !== null && look === "codes" && reports?.length > 2;

/**
 * Whether weak.js may have a text: for a loss of 2 or more, or a delta; the twin is in surveys/views/parts.py.
 * @param {SurveyParameters} parameters
 */
const mayBeWeak = (parameters) =>
  parameters.questions.some((x) => x.reason || spentOn(parameters, x) > CALM) ||
  parameters.devices.some(({ delta }) => delta);
const CALM = 19n * 10n ** 11n;

/** @type {Kind[]} */
const KINDS = [
  ["many", (_, devices) => devices.some(isMany), () => import("./many.js")],
  ["cards", (_, devices) => devices.some(({ look }) => look === "cards"), () => import("./cards.js")],
];

/**
 * Loads what only some surveys need, before anything is asked and the same for everybody. What shows other questions
 * than `first` waits for `rest` of the parts.
 * @param {SurveyParameters} parameters
 * @param {Question[]} first
 * @returns {Promise<Parts | null>} null where somebody's link says that there is nothing to ask
 * @throws {DeviceError}
 */
export async function partsFor(parameters, first) {
  const [weak, more] = await Promise.all([
    need(mayBeWeak(parameters), () => import("./weak.js")),
    need(!isPlain(parameters), () => import("./more_parts.js")),
  ]);
  const kinds = more ? [...KINDS, ...more.KINDS] : KINDS;
  /** @type {Held} */
  const held = {};
  const [bring, isShort] = bringing(kinds, held, parameters);
  await bring(first);
  /** @type {Parts["lookOf"]} */
  const lookOf = (device) => (device.look === "cards" && held.cards) || (isMany(device) ? { ...FEW, ...held.many } : FEW);
  const level = weak ? weak.levelOf(parameters.devices) : 0;
  const rest = isShort(parameters.questions) ? () => bring(parameters.questions) : undefined;
  // Where nothing has several answers, nothing asks for boxes.
  const parts = /** @type {Parts} */ (/** @type {Partial<Parts>} */ ({ weak, level, rest, controlOf: () => undefined, lookOf, plainLookOf: lookOf }));
  return more ? more.furtherParts(parameters, parts, FEW, held) : parts;
}

/**
 * @param {Kind[]} kinds
 * @param {Held} held what is here
 * @param {SurveyParameters} parameters
 * @returns {[(questions: Question[]) => Promise<void>, (questions: Question[]) => boolean]} loads what shows these
 *   questions, and says whether any of it is still to be loaded
 */
function bringing(kinds, held, parameters) {
  /** @param {Question[]} questions */
  const missing = (questions) =>
    kinds.filter(([name, isOf]) => !(name in held) && questions.some((each) => isOf(each, devicesOf(parameters, each))));
  return [
    async (questions) => {
      await Promise.all(missing(questions).map(async ([name, , load]) => (held[name] = await load())));
    },
    (questions) => missing(questions).length > 0,
  ];
}
