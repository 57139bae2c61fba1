import { el } from "../lib/dom.js";
import { fits } from "../lib/session.js";

/**
 * Chance picks how each person is asked: one of several strata, which the browser keeps.
 * @param {Picks} picks
 * @param {Parts} parts
 * @returns {Picking}
 */
export function pickingOf({ strata, pick, isWhole, meaningOf }, parts) {
  let picked = "";
  return {
    asked: ({ stratum }) => {
      const asked = pick(stratum);
      picked = asked.stratum;
      return asked.parameters;
    },
    fits: (stored) => {
      const { stratum } = stored;
      const isKnown = stratum === undefined || strata.includes(stratum);
      return isKnown && isWhole(stored) && fits(pick(stratum).parameters, parts)(stored);
    },
    follow: (session) =>
      session.watch(() => {
        // Another tab has kept what chance picked there.
        const { stratum } = session.stored;
        if (stratum && stratum !== picked) location.reload();
      }),
    strataRows: (sent) => Object.entries(sent).map(([device, stratum]) => row(device, stratum, meaningOf(stratum))),
  };
}

/**
 * The row of the pick in what was sent.
 * @param {string} device
 * @param {string} stratum
 * @param {string} meaning
 */
function row(device, stratum, meaning) {
  const name = el("code", {}, `strata.${device}: `);
  const value = el("code", { class: "fields__value" }, JSON.stringify(stratum));
  return el("div", {}, el("dt", {}, name, value), el("dd", {}, el("span", { class: "small quiet" }, meaning)));
}
