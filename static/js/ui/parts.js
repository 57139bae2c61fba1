import { gettext } from "../lib/i18n.js";
import { need } from "../lib/late.js";
import { isDrawn } from "../rr/device.js";
import { isPlain, spentOn } from "../rr/wire.js";
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

/**
 * Loads what only some surveys need, before anything is asked and the same for everybody.
 * @param {SurveyParameters} parameters
 * @returns {Promise<Parts | null>} null where somebody's link says that there is nothing to ask
 * @throws {DeviceError}
 */
export async function partsFor(parameters) {
  const devices = parameters.devices.filter(isDrawn);
  const [many, cards, weak, more] = await Promise.all([
    need(devices.some(isMany), () => import("./many.js")),
    need(devices.some(({ look }) => look === "cards"), () => import("./cards.js")),
    need(mayBeWeak(parameters), () => import("./weak.js")),
    need(!isPlain(parameters), () => import("./more_parts.js")),
  ]);
  /** @type {Look} */
  const MANY = { ...FEW, ...many };
  /** @type {Parts["lookOf"]} */
  const lookOf = (device) => (device.look === "cards" && cards) || (isMany(device) ? MANY : FEW);
  const level = weak ? weak.levelOf(parameters.devices) : 0;
  // Where nothing has several answers, nothing asks for boxes.
  const parts = /** @type {Parts} */ (/** @type {Partial<Parts>} */ ({ weak, level, controlOf: () => undefined, lookOf, plainLookOf: lookOf }));
  return more ? more.furtherParts(parameters, parts, FEW) : parts;
}
