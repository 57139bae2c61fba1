import { need } from "../../lib/late.js";
import * as keeping from "./keeping.js";

// Return codes: how a page has one kept, and finds in a later wave what was sent under it.

/**
 * @param {SurveyParameters} parameters
 * @param {Parts} parts
 * @returns {Promise<Parts>} with how respondents are told apart
 */
export async function arrive(parameters, parts) {
  const returning = await need(parameters.wave > 1, () => import("./returning.js"));
  const { key, lastScreen, receiptParts, refusals, refusedScreen } = keeping;
  /** @type {OwnPart["fits"]} */
  const fits = (stored) => keeping.fits(stored, parameters, returning);
  const again = returning && { draw: returning.drawAgain, recall: returning.recall, visit: returning.visit };
  return { ...parts, own: { key, fits, lastScreen, receiptParts, refusals, refusedScreen, ...again } };
}
