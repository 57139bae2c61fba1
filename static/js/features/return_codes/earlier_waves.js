import { HttpError, answerTo } from "../../lib/delivery.js";
import { PAGE } from "../../rr/device.js";
import { canonicalJson, digest } from "../../rr/wire.js";

// This checks what was served in earlier waves. That two reports together tell no more than the later one holds for
// the table that the earlier one was drawn with, so the tables of this wave are held against it.

/**
 * @param {SurveyParameters} parameters
 * @param {EarlierReports} earlier
 * @param {string} returnUrl where the reports came from
 * @returns {Promise<Record<string, Decimal> | null>} the epsilon of each device of the reports in their wave;
 *   null where they were not drawn with the tables that this wave rests on
 * @throws {HttpError | import("../../lib/delivery.js").ConnectionError}
 */
export async function epsilonsThen(parameters, { wave, reports }, returnUrl) {
  const served = await documentOf(wave, parameters, returnUrl);
  if (!served) return null;
  /** @type {Record<string, Decimal>} */
  const epsilons = {};
  for (const { id, earlier } of parameters.devices.filter((device) => Object.hasOwn(reports, device.id))) {
    const table = earlier.find((entry) => entry.wave === wave)?.table;
    const then = served.devices.find((device) => device.id === id && device.stratum === PAGE);
    if (!then?.epsilon || !table || canonicalJson(then.table) !== canonicalJson(table)) return null;
    epsilons[id] = then.epsilon;
  }
  return epsilons;
}

/**
 * The parameters of an earlier wave: each wave has the digest of the one before.
 * @param {number} wave
 * @param {SurveyParameters} parameters
 * @param {string} returnUrl
 * @returns {Promise<ServedParameters | null>} null where a digest is not the expected one
 */
async function documentOf(wave, parameters, returnUrl) {
  let [served, expected] = [/** @type {ServedParameters | null} */ (null), parameters.previous];
  for (let number = parameters.wave - 1; number >= wave; number -= 1) {
    const url = new URL(`../waves/${number}/parameters.json`, new URL(returnUrl, location.href));
    served = /** @type {ServedParameters | null} */ (await answerTo(url.href).catch(nullIfUnknown));
    // A document without a canonical form has no digest either.
    const found = served && (await digest(served).catch(() => null));
    if (!served || found !== expected || served.wave !== number) return null;
    expected = served.previous;
  }
  return served;
}

/** @param {unknown} error */
function nullIfUnknown(error) {
  if (error instanceof HttpError && error.status === 404) return null;
  throw error;
}
