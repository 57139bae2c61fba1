/**
 * Gradual release: a report that is drawn given the one of an earlier wave. The earlier table must be
 * this wave's table, exactly as degraded; surveys/parameters/earlier.py has the same.
 */

import { bigUniformBelow, chancesOf, isDegraded, stepTable } from "./degradation.js";
import { isReportOf } from "./device.js";
import { DeviceError } from "./errors.js";
import { checkKeys, isCode } from "./shape.js";
import { canonicalJson } from "./wire.js";

/**
 * @typedef {object} Step from a report of an earlier wave to one of this wave
 * @property {CodedContents | null} earlier null where reports are drawn once and sent again
 * @property {((previous: number, next: number) => bigint) | null} chance in units of its denominator;
 *   null where the report stays the same
 */

// The noise of a text, the bits of all answers, the codes of a joint device and an order are drawn once, and sent again in
// all waves.
const SENT_AGAIN = ["bloom", "bits", "joint", "ranking"];

// By earlier wave, of each checked device.
/** @type {WeakMap<AnyDevice, Map<number, Step>>} */
const steps = new WeakMap();

/**
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
export function check(device, fail) {
  const waves = device.earlier.map((entry, i) => checkEntry(entry, i, device, fail));
  steps.set(device, new Map(waves));
}

/**
 * @param {EarlierTable} entry
 * @param {number} i
 * @param {AnyDevice} device
 * @param {Fail} fail
 * @returns {[number, Step]}
 */
function checkEntry(entry, i, device, fail) {
  const field = `earlier.${i}`;
  /** @type {Fail} */
  const failHere = (code, part) => fail(code, part ? `${field}.${part}` : field);
  checkKeys(entry, ["wave", "table", "degradation"], [], failHere);
  const { wave, table, degradation } = entry;
  if (!isCode(wave) || wave === 0) failHere("bad_number", "wave");
  if (SENT_AGAIN.includes(device.table.form)) {
    const same = degradation?.form === "same" && canonicalJson(table) === canonicalJson(device.table);
    return same ? [wave, { earlier: null, chance: null }] : failHere("not_relaxed", "");
  }
  const { contents: earlier } = stepTable(table, (code, part) => failHere(code, part ? `table.${part}` : "table"));
  const later = codes(device, field, fail);
  const failInPart = /** @type {Fail} */ ((code, part) => failHere(code, `degradation${part && "."}${part}`));
  const chances = chancesOf(degradation, later.reports.length, failInPart);
  if (!isDegraded(earlier, later, chances)) failHere("not_relaxed", "");
  return [wave, { earlier, chance: chances && chances.at }];
}

/**
 * @param {AnyDevice} device
 * @param {string} field
 * @param {Fail} fail
 * @returns {CodedContents}
 */
function codes(device, field, fail) {
  if (!device.columns) fail("not_relaxed", field);
  return device;
}

/**
 * Draws the report of this wave given that of an earlier one, with the same bytes and steps for every
 * true answer: Pr(next | previous, truth) = C[previous, next] P[next, truth] / P_earlier[previous, truth].
 * @param {Device} device
 * @param {number} wave
 * @param {SentReport} previous
 * @param {number} truth
 * @param {RandomBytes} randomBytes
 * @returns {{code: SentReport, spot: number | null}} spot: where in [0, 1) it fell; null where nothing is drawn
 */
export function relax(device, wave, previous, truth, randomBytes) {
  const rows = weightsAfter(device, wave, previous);
  // A report that is drawn once needs no answer to be sent again.
  if (!rows && !device.columns) return { code: previous, spot: null };
  if (!Number.isSafeInteger(truth) || !device.columns[truth]) throw new DeviceError("not_a_category", "answer", device.id);
  if (!rows) return { code: previous, spot: null };
  const sums = rows.map(total);
  // One range for all truths, so that the bytes that are taken tell nothing.
  const range = sums.reduce(leastMultiple, 1n);
  const draw = bigUniformBelow(range, randomBytes);
  const scale = range / sums[truth];
  let [code, bound] = [0, 0n];
  for (const weight of rows[truth]) {
    bound += weight * scale;
    code += Number(bound <= draw);
  }
  return { code, spot: share(draw, range) };
}

/**
 * How likely each next report is, given the earlier one: a column for each true answer.
 * @param {Device} device
 * @param {number} wave
 * @param {SentReport} previous
 * @returns {number[][] | null} null where the earlier report stays
 */
export function sharesAfter(device, wave, previous) {
  const rows = weightsAfter(device, wave, previous);
  return rows && rows.map((row) => row.map((weight) => share(weight, total(row))));
}

/**
 * @param {AnyDevice} device
 * @param {number} wave
 * @returns {CodedContents | undefined} the table of a checked device in that earlier wave
 */
export const earlierContents = (device, wave) => steps.get(device)?.get(wave)?.earlier ?? undefined;

/**
 * @param {AnyDevice} device
 * @param {number} wave
 * @param {unknown} report
 * @returns {boolean} whether it is a report of a checked device in that earlier wave
 */
export function isEarlierReport(device, wave, report) {
  const step = steps.get(device)?.get(wave);
  if (!step?.chance || !step.earlier) return step !== undefined && isReportOf(device, report);
  return isCode(report) && report < step.earlier.reports.length;
}

/**
 * @param {Device} device
 * @param {number} wave
 * @param {SentReport} previous
 * @returns {bigint[][] | null} by truth and next report; null where the report stays
 */
function weightsAfter(device, wave, previous) {
  const step = steps.get(device)?.get(wave);
  if (!step) throw new DeviceError("not_checked", "earlier", String(device?.id));
  if (!isEarlierReport(device, wave, previous)) throw new DeviceError("not_a_report", "earlier", device.id);
  const { chance } = step;
  if (!chance || typeof previous !== "number") return null;
  return device.columns.map((column) => {
    const row = column.map((entry, w) => chance(previous, w) * BigInt(entry));
    // An answer that never sent the earlier report must have changed since: it is drawn anew.
    return total(row) > 0n ? row : column.map(BigInt);
  });
}

/** @param {bigint[]} row */
const total = (row) => row.reduce((sum, x) => sum + x, 0n);

/** @type {(part: bigint, whole: bigint) => number} */
const share = (part, whole) => Number((part << 53n) / whole) / 2 ** 53;

/**
 * @param {bigint} a
 * @param {bigint} b
 */
function leastMultiple(a, b) {
  let [x, y] = [a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return (a / x) * b;
}
