/** Tables whose report is a string of bits, each drawn by itself; that of the truth is one. */

import { checkDenominator } from "./device.js";
import { uniformBelow } from "./random.js";
import { checkKeys } from "./shape.js";

const MOST_BITS = 65536;

/**
 * @param {BitsTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {Made}
 */
export function form(table, fail, onPage) {
  checkKeys(table, ["form", "bits", "denominator", "one", "zero"], [], fail);
  const { bits, denominator: whole, one, zero } = table;
  if (!Number.isSafeInteger(bits) || bits < 2 || bits > MOST_BITS) fail("bad_number", "bits");
  checkDenominator(whole, onPage, fail);
  for (const [field, entry] of Object.entries({ one, zero })) {
    if (!Number.isSafeInteger(entry) || entry < 0) fail("not_an_integer", field);
    if (entry > whole) fail("wrong_sum", field);
  }
  const says = { bits, truths: bits, worst: [worstOf(BigInt(whole), BigInt(one), BigInt(zero))] };
  return { says, draw: (truth, randomBytes) => drawBits(table, truth, randomBytes) };
}

/**
 * Between two truths two bits differ, in opposite directions.
 * @param {bigint} whole
 * @param {bigint} one
 * @param {bigint} zero
 * @returns {[bigint, bigint]}
 */
function worstOf(whole, one, zero) {
  const [on, off] = [one * (whole - zero), zero * (whole - one)];
  return on >= off ? [on, off] : [off, on];
}

/**
 * The same bytes and steps for every true answer.
 * @param {BitsTable} table
 * @param {Truth} truth
 * @param {RandomBytes} randomBytes
 */
function drawBits({ bits, denominator, one, zero }, truth, randomBytes) {
  if (typeof truth !== "number" || !Number.isSafeInteger(truth) || truth < 0 || truth >= bits) return undefined;
  let report = "";
  for (let bit = 0; bit < bits; bit += 1) {
    const chance = [zero, one][Number(bit === truth)];
    report += Number(uniformBelow(denominator, randomBytes) < chance);
  }
  return report;
}
