import { gettext, interpolate } from "../lib/i18n.js";
import * as few from "./frequencies.js";
import { labelAt } from "./number.js";

// A device with one bit on a number: its words are about both ends of the range and the middle.

/**
 * The device for these three numbers only, and a question with them as its answers.
 * @param {Question} question
 * @param {Device} device
 * @returns {[Question, Device]}
 */
function threePlaces(question, device) {
  const last = device.columns.length - 1;
  const steps = [...new Set([0, Math.floor(last / 2), last])];
  const { scale } = question;
  const categories = steps.map((step) => (scale ? labelAt(scale, step) : String(step)));
  const columns = steps.map((step) => device.columns[step]);
  return [
    { ...question, categories },
    { ...device, columns, truths: columns.length },
  ];
}

/**
 * @param {Question} _question
 * @param {Device} device
 */
export function lead(_question, { columns, reports }) {
  const letter = reports[columns[columns.length - 1][1] > columns[0][1] ? 1 : 0];
  return interpolate(gettext("Chance sends one of two letters: the higher the number, the more often %(letter)s."), { letter });
}

/**
 * @param {Question} question
 * @param {Device} device
 */
export const drawing = (question, device) => few.drawing(...threePlaces(question, device));

/**
 * @param {Question} question
 * @param {Device} device
 */
export const numbers = (question, device) => few.numbers(...threePlaces(question, device));

/**
 * @param {Question} question
 * @param {Device} device
 * @param {number} code
 */
export const who = (question, device, code) => few.who(...threePlaces(question, device), code);
