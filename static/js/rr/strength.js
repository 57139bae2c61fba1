/**
 * The privacy loss of one question: a bound of the log likelihood ratio, in hundredths, rounded up.
 * surveys/strength.py has the same rule, and those for all of a person's answers.
 */

import { extremes } from "./device.js";

/**
 * The largest loss of one question: of each device the largest of its strata.
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
 * The epsilon of the table itself; Infinity where a report rules out an answer.
 * @param {Device} device
 */
export const epsilonOf = (device) => Math.max(...extremes(device).map(logRatio));

/**
 * @param {Extremes} pair
 * @returns {number} 0 for a report that nobody sends
 */
function logRatio([most, least]) {
  if (typeof most === "number") return most > 0 ? Math.log(most / Number(least)) : 0;
  return logarithm(most) - logarithm(BigInt(least));
}

/**
 * The logarithm of a whole number that may be larger than any double, from its leading bits and their place.
 * @param {bigint} value
 */
function logarithm(value) {
  const place = Math.max(0, value.toString(16).length * 4 - 60);
  return Math.log(Number(value >> BigInt(place))) + place * Math.LN2;
}

/** @param {Device} device */
function lossOf(device) {
  const epsilon = epsilonOf(device);
  return epsilon === Infinity ? Number(device.epsilon) : epsilon;
}

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * 0: no warning; 1: a strong hint; 2: much; 3: very much.
 * @param {number} loss
 */
export const questionLevel = (loss) => Number(loss >= 200) + Number(loss > 400) + Number(loss >= 700);
