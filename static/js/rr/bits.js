/** Tables whose report is a string of bits, drawn independently. */

import { checkDenominator } from "./device.js";
import { uniformBelow } from "./random.js";
import { checkKeys } from "./shape.js";

const MOST_BITS = 65536;

/**
 * @param {BitsTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {CheckedTable}
 */
export function form(table, fail, onPage) {
  checkKeys(table, ["form", "bits", "denominator", "one", "zero"], [], fail);
  const { bits, denominator, one, zero } = table;
  if (!Number.isSafeInteger(bits) || bits < 2 || bits > MOST_BITS) fail("bad_number", "bits");
  checkDenominator(denominator, onPage, fail);
  for (const [field, entry] of Object.entries({ one, zero })) {
    if (!Number.isSafeInteger(entry) || entry < 0) fail("not_an_integer", field);
    if (entry > denominator) fail("wrong_sum", field);
  }
  const contents = { bits, truths: bits, worst: [worstOf(BigInt(denominator), BigInt(one), BigInt(zero))] };
  return {
    contents,
    draw: (truth, randomBytes) => drawBits(table, truth, randomBytes),
    has: (report) => typeof report === "string" && report.length === bits && /^[01]+$/.test(report),
    longest: bits + 2,
  };
}

/**
 * Only reports of bits are shown as such.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
export function check({ table }, fail) {
  if (table.form !== "bits") fail("bad_bits", "table");
}

/**
 * @param {bigint} denominator
 * @param {bigint} one
 * @param {bigint} zero
 * @returns {[bigint, bigint]} of the report that differs most: of two truths, only their two bits differ
 */
function worstOf(denominator, one, zero) {
  const [on, off] = [one * (denominator - zero), zero * (denominator - one)];
  return on >= off ? [on, off] : [off, on];
}

/**
 * Draws a report, by the same bytes and steps for every true answer.
 * @param {BitsTable} table
 * @param {Truth} truth
 * @param {RandomBytes} randomBytes
 */
function drawBits({ bits, denominator, one, zero }, truth, randomBytes) {
  if (typeof truth !== "number" || !Number.isSafeInteger(truth) || truth < 0 || truth >= bits) return undefined;
  let report = "";
  for (let bit = 0; bit < bits; bit += 1) {
    const entry = [zero, one][Number(bit === truth)];
    report += Number(uniformBelow(denominator, randomBytes) < entry);
  }
  return report;
}
