/** Defective clients of short texts: each has one function of the real one replaced. */

import { drawReport } from "/static/js/rr/device.js";
import { drawCohort, marksOf } from "/static/js/rr/bloom.js";

export const shipping = { drawCohort, marksOf, drawReport };

/** The permanent response is drawn again for a second report. */
export const redrawn = { ...shipping, sent: 2 };

/** Texts of the same length get the same cohort. */
export const cohortOfText = {
  ...shipping,
  drawCohort: ({ cohorts }, _source, words) => words.length % cohorts,
};

/** A cohort from a byte modulo, as if any number divided 256. */
export const moduloCohort = {
  ...shipping,
  drawCohort: ({ cohorts }, source) => source(1)[0] % cohorts,
};

/** The hash leaves the cohort out: everybody has the filter of the first one. */
export const withoutCohort = {
  ...shipping,
  marksOf: async (table, { words, cohort }) => ({ ...(await marksOf(table, { words, cohort: 0 })), cohort }),
};

/** A set bit is sent as it is. */
export const neverClears = { ...shipping, drawReport: drawn(() => 1) };

/** Both chances are wrong by a thousandth. */
export const thousandthOff = { ...shipping, drawReport: drawn((chance) => chance - 0.001, (chance) => chance + 0.001) };

/** Chances and draws as doubles. */
export const inDoubles = { ...shipping, drawReport: drawn() };

/**
 * A draw of 32 bits taken as a double; the chances of a 1 from a set and from a clear bit are changed.
 */
function drawn(ofSet = (chance) => chance, ofClear = (chance) => chance) {
  return ({ table }, { cohort, positions }, source) => {
    const own = new Set(positions);
    const chances = [ofClear(table.zero / table.denominator), ofSet(table.one / table.denominator)];
    let filter = "";
    for (let bit = 0; bit < table.bits; bit += 1) {
      const [a, b, c, d] = source(4);
      const unit = (a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24) / 2 ** 32;
      filter += Number(unit < chances[Number(own.has(bit))]);
    }
    return [cohort, filter];
  };
}
