import { lateFeature } from "./features.js";

/** Checks of the parameters that only some surveys need. */

const CHECKS = new Map(/** @type {[string, () => Promise<CheckPart>][]} */ ([
  ["cards", () => import("../rr/cards.js")],
  ["delta", () => import("../rr/delta.js")],
  ["product", () => import("../rr/product.js")],
  ["bits", () => import("../rr/bits.js")],
  ["linear", () => import("../rr/linear.js")],
  ["scale", () => import("../rr/scale.js")],
  ["bloom", () => import("../rr/bloom.js")],
  ["joint", () => import("../rr/joint.js")],
  ["text", () => import("../rr/text.js")],
  ["ranking", () => import("../rr/ranking.js")],
  ["ties", () => import("../rr/ties.js")],
  ["chain", () => import("../rr/chain.js")],
  ["earlier", () => import("../rr/earlier.js")],
  ["rules", () => import("../rr/rules.js")],
]));

/**
 * @param {string} feature that decides whether anything is asked
 * @param {SurveyParameters} parameters
 * @returns {Promise<boolean>} whether somebody may agree before the rest of the page has come
 */
export const opens = async (feature, parameters) => (await lateFeature(feature, "door"))?.opens(parameters);

/**
 * @param {string} name
 * @returns {Promise<CheckPart> | undefined} nothing where there is no such check
 */
export function check(name) {
  const part = CHECKS.get(name);
  return part ? part() : lateFeature(name, "rules");
}
