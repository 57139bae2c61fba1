/**
 * How much the scrambled answer to one question can give away; surveys/strength.py has the same rule,
 * and those for all of a person's answers. A loss is a bound of the log likelihood ratio, as epsilon
 * is one, in hundredths and rounded up.
 */

import { extremes } from "./device.js";

/**
 * The largest loss of one question, over the largest of each device's strata. A device with a report
 * that rules an answer out counts with its declared epsilon.
 * @param {Device[]} devices
 */
export function questionLoss(devices) {
  /** @type {Map<string, Map<string, number>>} */
  const largest = new Map();
  for (const device of devices.filter(({ epsilon }) => epsilon !== null)) {
    const [name] = device.questions;
    const ofQuestion = largest.get(name) ?? new Map();
    largest.set(name, ofQuestion);
    ofQuestion.set(device.id, Math.max(lossOf(device), ofQuestion.get(device.id) ?? 0));
  }
  const losses = [...largest.values()].map((ofQuestion) => sum([...ofQuestion.values()]));
  return Math.ceil(100 * Math.max(0, ...losses));
}

/**
 * The epsilon of the table itself; Infinity when a report can prove or rule out an answer.
 * @param {Device} device
 */
export function epsilonOf(device) {
  const ratios = extremes(device).map(([most, least]) => (most > 0 ? most / least : 1));
  return Math.log(Math.max(...ratios));
}

/** @param {Device} device */
function lossOf(device) {
  const own = epsilonOf(device);
  return own === Infinity ? Number(device.epsilon) : own;
}

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * 0: no more is said than the numbers; 1: a strong hint; 2: much; 3: very much.
 * @param {number} loss
 */
export const questionLevel = (loss) => Number(loss >= 200) + Number(loss > 400) + Number(loss >= 700);
