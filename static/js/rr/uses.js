/** What a document uses of features that have neither a section of their own in it nor a mode. */

import { PAGE, isDrawn } from "./device.js";
import { deepFreeze } from "./shape.js";

/** @param {AnyDevice} device */
const isJoint = ({ table }) => table.form === "joint";

/**
 * What shows that a feature is used, by its mark.
 * @type {Record<string, (parameters: SurveyParameters) => boolean>}
 */
const MARKS = {
  joint: ({ devices }) => devices.some((device) => isJoint(device) && device.stratum === PAGE),
  picked: ({ devices }) => devices.some((device) => isJoint(device) && device.stratum !== PAGE),
};

/** @type {Record<string, (parameters: SurveyParameters) => boolean>} */
const USES = {
  physical_randomizers: ({ devices }) => !devices.every(isDrawn),
};

/**
 * Whether a document uses a feature.
 * @param {SurveyParameters} parameters
 * @param {string} name
 */
export const isUsed = (parameters, name) => parameters.used.includes(name) || USES[name]?.(parameters) === true;

/**
 * A document with the features that no section shows, but its mode or a mark.
 * @type {NonNullable<CheckPart["marked"]>}
 */
export const marked = (parameters, sections) => {
  /** @type {(section: string[]) => boolean | undefined} */
  const isMarked = ([, sign, word]) => (sign === "=" ? parameters.mode === word : sign === "~" && MARKS[word]?.(parameters));
  const names = sections.filter(isMarked).map(([name]) => name);
  return deepFreeze({ ...parameters, used: [...new Set([...parameters.used, ...names])] });
};
