import { lateFeature } from "../lib/features.js";
import { need } from "../lib/late.js";
import { extremes } from "../rr/device.js";
import { DeviceError } from "../rr/errors.js";
import { isNumber, isSeveral } from "../rr/wire.js";
import { partOf } from "./part_of.js";

// Parts of surveys with more than scrambled questions of which one listed answer is true.

// The looks that the parameters name, beside codes and cards.
const LOOKS = ["text", "ties", "bits", "ranking"];
/** @type {(name: string) => Kind[1]} */
const looksLike = (name) => (_, devices) => devices.some(({ look }) => look === name);
/** @type {Kind[]} */
export const KINDS = [
  ["text", looksLike("text"), () => import("./text.js")],
  ["ties", looksLike("ties"), () => import("./ties.js")],
  ["bits", looksLike("bits"), () => import("./bits.js")],
  ["ranking", looksLike("ranking"), () => import("./ranking.js")],
  ["boxes", isSeveral, () => import("./boxes.js")],
  ["number", isNumber, () => import("./number.js")],
  ["text_field", ({ control }) => control === "text", () => import("./text_field.js")],
  ["linear", (_, devices) => devices.some(isLinear), () => import("./linear.js")],
  ["joint", (_, devices) => devices.some(isJoint), () => import("./joint_blocks.js")],
];

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
 * @param {Held} held what is here of the kinds
 * @returns {Promise<Parts | null>} null where somebody's link says that there is nothing to ask
 * @throws {DeviceError}
 */
export async function furtherParts(parameters, parts, few, held) {
  const { devices } = parameters;
  // No other look shows reports other than codes.
  for (const device of devices) {
    const { columns, look, id } = device;
    if (!columns && !LOOKS.includes(look) && !isJoint(device)) throw new DeviceError("unknown_form", "table", id);
  }
  const rare = await need(devices.some(rulesOut), () => import("./rare.js"));
  /** @type {Parts["lookOf"]} */
  const ownLook = (device) =>
    (LOOKS.includes(device.look) && held[device.look]) ||
    (isLinear(device) ? { ...few, ...held.linear } : (isJoint(device) && held.joint?.look) || parts.lookOf(device));
  /** @type {Parts["controlOf"]} */
  const ownControl = ({ control }) => ({ boxes: held.boxes, number: held.number, text: held.text_field, ranking: held.ranking })[control];
  const features = (await Promise.all(parameters.used.map((name) => lateFeature(name, "page")))).filter(Boolean);
  /** @type {Parts["controlOf"]} */
  const controlOf = (question) =>
    features.reduce((/** @type {any} */ found, feature) => found ?? feature.controls?.(question, parameters), undefined) ?? further.arranged?.(question, ownControl(question)) ?? ownControl(question);
  const lookOf = features.reduce((look, feature) => feature.looks?.(look, parameters) ?? look, ownLook);
  const further = /** @type {Parts} */ ({ ...parts, boxes: () => held.boxes, rare, controlOf, lookOf, joint: () => held.joint, features, partOf });
  further.below = (blocks, { questions: asked }) =>
    blocks.forEach(({ node }, i) => {
      node.append(...features.map((part) => part.below?.(asked[i], parameters)).filter(Boolean));
      further.wording?.follow(node);
    });
  const parting = features.find(({ pages }) => pages);
  further.wording = features.find((part) => part.wording)?.wording?.(parameters);
  const gate = features.find((part) => part.gate)?.gate?.(parameters);
  further.pages = (asked) => {
    /** @type {AskedPage[]} */
    const parted = parting?.pages?.(asked) ?? asked.questions.map((_, i) => ({ places: [i] }));
    parted.forEach(({ head }) => head && further.wording?.follow(head));
    const gated = gate?.apart(parted, asked) ?? parted;
    const apart = further.route?.apart(gated, asked.questions) ?? gated;
    return [...(further.gathered?.(apart, asked) ?? apart), ...(further.lastPages?.(asked) ?? [])];
  };
  further.needsAll = (whole) => features.some((part) => part.needsAll?.(whole));
  for (const part of features) Object.assign(further, part.joins?.(parameters));
  if (features.some(({ ordered }) => ordered)) Object.assign(further, (await import("./by_chance.js")).byChance(features, further.units));
  const last = features.filter(({ lastPages }) => lastPages);
  if (last.length) further.lastPages = (asked) => last.flatMap((part) => part.lastPages?.(asked) ?? []);
  further.beside = (stored, ids) => Object.assign({}, ...features.map((part) => part.beside?.(stored, ids)));
  further.keeping = (store) => features.reduce((kept, part) => part.keeping?.(kept, parameters) ?? kept, store);
  const picking = features.find((part) => part.picking);
  further.picking = picking?.picking?.(parameters, further);
  further.given = features.find((part) => part.given)?.given?.(parameters);
  const route = features.find((part) => part.route)?.route?.(parameters);
  further.route = gate?.around(route) ?? route;
  further.follow = further.wording?.after(further.route?.follow) ?? further.route?.follow;
  further.given?.tell(further);
  const door = features.find(({ arrive }) => arrive);
  return door ? door.arrive(parameters, further) : further;
}
