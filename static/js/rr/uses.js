/** What a document uses of features that have no section of their own in it. */

import { PAGE, isDrawn } from "./device.js";

/** @param {AnyDevice} device */
const isJoint = ({ table }) => table.form === "joint";

/** @type {Record<string, (parameters: SurveyParameters) => boolean>} */
const USES = {
  return_codes: ({ mode }) => mode === "pseudonymous",
  personal_links: ({ mode }) => mode === "personal",
  groups: ({ devices }) => devices.some((device) => isJoint(device) && device.stratum === PAGE),
  pilots: ({ devices }) => devices.some((device) => isJoint(device) && device.stratum !== PAGE),
  physical_randomizers: ({ devices }) => !devices.every(isDrawn),
};

/**
 * Whether a document uses a feature.
 * @param {SurveyParameters} parameters
 * @param {string} name
 */
export const isUsed = (parameters, name) => parameters.used.includes(name) || USES[name]?.(parameters) === true;
