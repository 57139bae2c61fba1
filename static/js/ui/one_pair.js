import { el } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { fits } from "../lib/session.js";
import { PAIR, isPair, withOnePair } from "../rr/pairs.js";
import { systemBytes } from "../rr/random.js";

/**
 * A pilot asks each person one pair of its questions. Chance picks it when the page opens; once its report
 * is drawn, the browser keeps the pick with it.
 * @param {SurveyParameters} parameters
 * @param {Parts} parts
 * @returns {Picking | undefined} none where nothing is picked
 */
export function picking(parameters, parts) {
  const pairs = parameters.devices.filter(isPair);
  if (!pairs.length) return undefined;
  /** @param {string | undefined} stratum */
  const asked = (stratum) => withOnePair(parameters, stratum, systemBytes);
  return {
    asked: (stored) => asked(stored.stratum),
    fits: (stored) => {
      const { stratum, reports } = stored;
      const isKept = pairs.some((pair) => pair.stratum === stratum);
      return (stratum === undefined || isKept) && isKept === Object.hasOwn(reports, PAIR) && fits(asked(stratum), parts)(stored);
    },
    follow: (session, { devices }) =>
      session.watch(() => {
        // Another tab has drawn for the pair that chance picked there.
        const { stratum } = session.stored;
        if (stratum && !devices.some((device) => device.stratum === stratum)) location.reload();
      }),
  };
}

/**
 * What was sent of the pick.
 * @param {Record<string, string>} strata
 */
export function strataRow(strata) {
  const meaning = gettext("Which two questions chance picked for you.");
  const name = el("code", {}, `strata.${PAIR}: `);
  const value = el("code", { class: "fields__value" }, JSON.stringify(strata[PAIR]));
  return el("div", {}, el("dt", {}, name, value), el("dd", {}, el("span", { class: "small quiet" }, meaning)));
}
