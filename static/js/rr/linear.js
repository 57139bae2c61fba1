/** Tables of two reports on a number: the second is the likelier the higher the number. */

import { checkDenominator } from "./device.js";
import { uniformBelow } from "./random.js";
import { checkKeys, isCode, isLabelList } from "./shape.js";

const KEYS = ["form", "reports", "denominator", "low", "rise", "steps"];
const MOST_STEPS = 10_000;

/**
 * @param {LinearTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {CheckedTable<CodedContents, number>}
 */
export function form(table, fail, onPage) {
  checkKeys(table, KEYS, [], fail);
  const { reports, denominator, low, rise, steps } = table;
  if (!isLabelList(reports) || reports.length !== 2) fail("bad_labels", "reports");
  checkDenominator(denominator, onPage, fail);
  if (!isCode(low)) fail("bad_number", "low");
  for (const [field, value] of Object.entries({ rise, steps })) {
    if (!Number.isSafeInteger(value) || value < 1) fail("bad_number", field);
  }
  if (steps > MOST_STEPS) fail("bad_number", "steps");
  // Where it is exact it is compared exactly; a sum too large for that is too large anyway.
  if (low + rise * steps > denominator) fail("wrong_sum", "rise");
  const columns = Array.from({ length: steps + 1 }, (_, step) => {
    const second = low + rise * step;
    return [denominator - second, second];
  });
  return {
    contents: { reports, denominator, columns, truths: steps + 1 },
    draw: (truth, randomBytes) => drawBit(columns, denominator, truth, randomBytes),
    has: (report) => report === 0 || report === 1,
    longest: 1,
  };
}

/**
 * Draws a report, by the same bytes and steps for every number.
 * @param {number[][]} columns
 * @param {number} denominator
 * @param {Truth} truth
 * @param {RandomBytes} randomBytes
 */
function drawBit(columns, denominator, truth, randomBytes) {
  const column = Number.isSafeInteger(truth) ? columns[Number(truth)] : undefined;
  if (!column) return undefined;
  return Number(uniformBelow(denominator, randomBytes) >= column[0]);
}
