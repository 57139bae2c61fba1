/**
 * The one length of the bodies of all responses to a survey: by themselves they would be the longer the more digits
 * their codes have, and the fewer questions were left out. docs/protocol.md has the rule.
 */

import { PAGE, isDrawn, longestReport } from "./device.js";

// Digest, id, a code or a link, and all names of fields have so many bytes at most.
const FRAME = 200;

/**
 * @param {string} body
 * @param {Pick<SurveyParameters, "devices">} parameters what everybody is asked, not what chance picks of it
 */
export function filledUp(body, parameters) {
  const missing = bodyLength(parameters) + besideLength(body, parameters) - new TextEncoder().encode(body).length;
  return body + " ".repeat(Math.max(0, missing));
}

/**
 * What a body says beside its reports: orders are as long in every response, and texts have room for the longest.
 * @param {string} body
 * @param {object} parameters
 */
function besideLength(body, parameters) {
  const { orders } = JSON.parse(body);
  const { free_texts: asked } = /** @type {Partial<WithFreeTexts>} */ (parameters);
  const room = asked?.reduce((sum, { id, characters }) => sum + id.length + 6 + 4 * characters, '"texts":{},'.length);
  return (orders ? `"orders":${JSON.stringify(orders)},`.length : 0) + (room ?? 0);
}

/** @param {Pick<SurveyParameters, "devices">} parameters */
function bodyLength({ devices }) {
  /** @type {Map<string, number>} */
  const reports = new Map();
  /** @type {Map<string, number>} */
  const strata = new Map();
  for (const device of devices.filter(isDrawn)) {
    const { id, stratum } = device;
    reports.set(id, Math.max(reports.get(id) ?? 0, id.length + 4 + charactersOf(longestReport(device))));
    if (stratum !== PAGE) strata.set(id, Math.max(strata.get(id) ?? 0, id.length + 6 + stratum.length));
  }
  return [...reports.values(), ...strata.values()].reduce((sum, length) => sum + length, FRAME);
}

/** @param {number | number[]} longest */
const charactersOf = (longest) =>
  typeof longest === "number" ? longest : longest.reduce((sum, length) => sum + length + 1, 1);
