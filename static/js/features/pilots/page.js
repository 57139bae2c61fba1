import { gettext } from "../../lib/i18n.js";
import { PAIR, isPair, withOnePair } from "./rules.js";
import { systemBytes } from "../../rr/random.js";
import { pickingOf } from "../../ui/picking.js";

/**
 * A pilot asks each person one pair of its questions. Chance picks it when the page opens; once its report
 * is drawn, the browser keeps the pick with it.
 * @param {SurveyParameters} parameters
 * @param {Parts} parts
 * @returns {Picking}
 */
export function picking(parameters, parts) {
  const strata = parameters.devices.filter(isPair).map(({ stratum }) => stratum);
  /** @type {Picks["pick"]} */
  const pick = (before) => {
    const asked = withOnePair(parameters, before, systemBytes);
    return { parameters: asked, stratum: String(asked.devices.find(isPair)?.stratum) };
  };
  return pickingOf(
    {
      strata,
      pick,
      isWhole: ({ stratum, reports }) => (stratum !== undefined) === Object.hasOwn(reports, PAIR),
      meaningOf: () => gettext("Which two questions chance picked for you."),
    },
    parts,
  );
}
