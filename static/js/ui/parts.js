import { gettext } from "../lib/i18n.js";
import { late } from "../lib/late.js";
import { PAGE, extremes } from "../rr/device.js";
import { DeviceError } from "../rr/errors.js";
import { isNumber, isSeveral, isText, spentOn } from "../rr/wire.js";
import * as few from "./frequencies.js";
import { result, wheel } from "./wheel.js";

const WHEEL = {
  words: {
    act: gettext("Spin"),
    missing: gettext("Spin before you go on."),
    once: gettext("You spin once. Spinning again and again would wear your protection down."),
    noProof: gettext("So no code proves anything."),
    same: gettext("Can people with different answers send the same code?"),
  },
  nameOf: (/** @type {string} */ letter) => letter,
  chance: wheel,
  result,
};
const FEW = { ...WHEEL, ...few };

// Modules by the look that the parameters name; other devices show codes.
const LOOKS = new Map(/** @type {[string, () => Promise<unknown>][]} */ ([
  ["cards", () => import("./cards.js")],
  ["text", () => import("./text.js")],
  ["ties", () => import("./ties.js")],
]));

/**
 * @param {Device} device
 * @returns {boolean} whether a report rules an answer out
 */
const rulesOut = (device) =>
  device.epsilon !== null && extremes(device).some(([most, least]) => most > 0 && least === 0);
/** @param {Device} device */
const isMany = ({ epsilon, look, reports }) => epsilon !== null && !LOOKS.has(look) && reports?.length > 2;

/** @param {AnyDevice} device */
const isGroup = ({ table }) => table.form === "joint";
/** @param {Device} device */
const isLinear = ({ table, form = table.form }) => form === "linear";

/**
 * Whether weak.js may have a text; surveys/views/parts.py has the same rule. A loss of 2 or more is
 * declared, or there is a delta.
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
  const { questions, devices: all } = parameters;
  // No other look shows reports other than codes.
  for (const device of all) {
    const { columns, look, id } = device;
    if (!columns && !["text", "ties"].includes(look) && !isGroup(device)) throw new DeviceError("unknown_form", "table", id);
  }
  const devices = all.filter(({ stratum }) => stratum === PAGE);
  /** @type {<Module>(needed: boolean, part: string, load: () => Promise<Module>) => Promise<Module> | undefined} */
  const need = (needed, part, load) => (needed ? late(part, load) : undefined);
  const [boxes, many, rare, weak, keeping, personal, returning, tiers, number, linear, field, group, ...looks] = await Promise.all([
    need(questions.some(isSeveral), "boxes", () => import("./boxes.js")),
    need(devices.some(isMany), "many", () => import("./many.js")),
    need(all.some(rulesOut), "rare", () => import("./rare.js")),
    need(mayBeWeak(parameters), "weak", () => import("./weak.js")),
    need(parameters.mode === "pseudonymous", "keeping", () => import("./keeping.js")),
    need(parameters.mode === "personal", "personal", () => import("./personal.js")),
    need(parameters.wave > 1, "returning", () => import("./returning.js")),
    need(parameters.tiers.length > 0, "tiers", () => import("./tiers.js")),
    need(questions.some(isNumber), "number", () => import("./number.js")),
    need(devices.some(isLinear), "linear", () => import("./linear.js")),
    need(questions.some(isText), "text_field", () => import("./text_field.js")),
    need(all.some(isGroup), "group", () => import("./group.js")),
    ...[...LOOKS].map(([name, load]) => need(devices.some(({ look }) => look === name), name, load)),
  ]);
  /** @type {Look} */
  const MANY = { ...FEW, ...many };
  /** @type {Look} */
  const LINEAR = { ...FEW, ...linear };
  /** @type {Parts["lookOf"]} */
  const ownLook = (device) =>
    /** @type {Look | undefined} */ (looks[[...LOOKS.keys()].indexOf(device.look)]) ??
    (isLinear(device) ? LINEAR : isMany(device) ? MANY : (isGroup(device) && group?.look) || FEW);
  /** @type {Parts["controlOf"]} */
  const controlOf = ({ control }) => ({ boxes, number, text: field })[control];
  /** @type {Parts["lookOf"]} */
  const lookOf = tiers?.tieredLooks(ownLook, parameters) ?? ownLook;
  const level = weak ? weak.levelOf(all) : 0;
  const own = keeping ?? personal;
  const parts = /** @type {Parts} */ ({ boxes, rare, weak, level, controlOf, lookOf, keeping, own, returning, group });
  return personal ? personal.arrive(parameters, parts) : parts;
}
