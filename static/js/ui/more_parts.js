import { lateFeature } from "../lib/features.js";
import { need } from "../lib/late.js";
import { extremes, isDrawn } from "../rr/device.js";
import { DeviceError } from "../rr/errors.js";
import { isNumber, isSeveral } from "../rr/wire.js";
import { partOf } from "./part_of.js";

// Parts of surveys with more than scrambled questions of which one listed answer is true.

// Modules by the look that the parameters name, beside codes and cards.
const LOOKS = new Map(/** @type {[string, () => Promise<unknown>][]} */ ([
  ["text", () => import("./text.js")],
  ["ties", () => import("./ties.js")],
  ["bits", () => import("./bits.js")],
]));

/**
 * @param {Device} device
 * @returns {boolean} whether a report rules an answer out
 */
const rulesOut = (device) =>
  device.epsilon !== null && extremes(device).some(([most, least]) => most > 0 && least === 0);
/** @param {AnyDevice} device */
const isJoint = ({ table }) => table.form === "joint";
/** @param {Device} device */
const isLinear = ({ table, form = table.form }) => form === "linear";

/**
 * @param {SurveyParameters} parameters
 * @param {Parts} parts that every survey may have
 * @param {Look} few of devices with two codes
 * @returns {Promise<Parts | null>} null where somebody's link says that there is nothing to ask
 * @throws {DeviceError}
 */
export async function furtherParts(parameters, parts, few) {
  const { questions, devices: all } = parameters;
  // No other look shows reports other than codes.
  for (const device of all) {
    const { columns, look, id } = device;
    if (!columns && !LOOKS.has(look) && !isJoint(device)) throw new DeviceError("unknown_form", "table", id);
  }
  const devices = all.filter(isDrawn);
  const [boxes, rare, number, linear, text, joint, ...looks] = await Promise.all([
    need(questions.some(isSeveral), () => import("./boxes.js")),
    need(all.some(rulesOut), () => import("./rare.js")),
    need(questions.some(isNumber), () => import("./number.js")),
    need(devices.some(isLinear), () => import("./linear.js")),
    need(questions.some(({ control }) => control === "text"), () => import("./text_field.js")),
    need(all.some(isJoint), () => import("./joint_blocks.js")),
    ...[...LOOKS].map(([name, load]) => need(devices.some(({ look }) => look === name), load)),
  ]);
  /** @type {Look} */
  const LINEAR = { ...few, ...linear };
  /** @type {Parts["lookOf"]} */
  const ownLook = (device) =>
    /** @type {Look | undefined} */ (looks[[...LOOKS.keys()].indexOf(device.look)]) ??
    (isLinear(device) ? LINEAR : (isJoint(device) && joint?.look) || parts.lookOf(device));
  /** @type {Parts["controlOf"]} */
  const controlOf = ({ control }) => ({ boxes, number, text })[control];
  const features = (await Promise.all(parameters.used.map((name) => lateFeature(name, "page")))).filter(Boolean);
  const lookOf = features.reduce((look, feature) => feature.looks?.(look, parameters) ?? look, ownLook);
  const further = /** @type {Parts} */ ({ ...parts, boxes, rare, controlOf, lookOf, joint, features, partOf });
  further.below = (blocks, { questions: asked }) =>
    blocks.forEach(({ node }, i) => node.append(...features.map((part) => part.below?.(asked[i], parameters)).filter(Boolean)));
  further.keeping = (store) => features.reduce((kept, part) => part.keeping?.(kept, parameters) ?? kept, store);
  const picking = features.find((part) => part.picking);
  further.picking = picking?.picking?.(parameters, further);
  const door = features.find(({ arrive }) => arrive);
  return door ? door.arrive(parameters, further) : further;
}
