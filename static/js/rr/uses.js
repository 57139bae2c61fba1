/** What a document uses of features that have neither a section of their own in it nor a mode. */

import { PAGE, isDrawn } from "./device.js";

/** @param {AnyDevice} device */
const isJoint = ({ table }) => table.form === "joint";

/** @type {Record<string, (parameters: SurveyParameters) => boolean>} */
const USES = {
  groups: ({ devices }) => devices.some((device) => isJoint(device) && device.stratum === PAGE),
  pilots: ({ devices }) => devices.some((device) => isJoint(device) && device.stratum !== PAGE),
  cross_tables: ({ tables }) => tables?.length > 0,
  analyses: ({ analyses }) => analyses?.length > 0,
  weighting: ({ weighting }) => weighting !== null,
  physical_randomizers: ({ devices }) => !devices.every(isDrawn),
};

/**
 * Whether a document uses a feature.
 * @param {SurveyParameters} parameters
 * @param {string} name
 */
export const isUsed = (parameters, name) => parameters.used.includes(name) || USES[name]?.(parameters) === true;
