/**
 * How a report of one table comes from a report of another, exactly: between waves (earlier.js) and
 * between the steps of a chain (chain.js). surveys/parameters/earlier.py has the same.
 */

import { codedTable, isCoded } from "./device.js";
import { RandomSourceError } from "./errors.js";
import { form as linearTable } from "./linear.js";
import { checkKeys } from "./shape.js";

const WHOLE = /^(0|[1-9][0-9]{0,2999})$/;
const MOST_REJECTIONS = 256;

/**
 * @param {CodedTable | LinearTable} table of the page, whose reports are codes
 * @param {Fail} fail
 * @returns {CheckedTable<CodedContents, number>}
 */
export function stepTable(table, fail) {
  if (table?.form === "linear") return linearTable(table, fail, true);
  return isCoded(table) ? codedTable(table, fail, true) : fail("unknown_form", "");
}

/**
 * @typedef {object} Chances
 * @property {bigint} whole
 * @property {number} size how many later reports there are
 * @property {(earlier: number) => boolean} covers whether each later report has so many earlier ones
 * @property {(previous: number, next: number) => bigint} at
 */

/**
 * @param {ServedDegradation} degradation
 * @param {number} size
 * @param {Fail} fail
 * @returns {Chances | null} null where the table has not changed
 */
export function chancesOf(degradation, size, fail) {
  const keys = { same: [], uniform: ["denominator", "kept", "other"], dense: ["denominator", "columns"] };
  const form = String(degradation?.form);
  if (!Object.hasOwn(keys, form)) fail("unknown_form", "");
  checkKeys(degradation, ["form", ...keys[/** @type {keyof keys} */ (form)]], [], fail);
  if (degradation.form === "same") return null;
  const whole = wholeOf(degradation.denominator, "denominator", fail);
  if (degradation.form === "uniform") {
    const [kept, other] = [wholeOf(degradation.kept, "kept", fail), wholeOf(degradation.other, "other", fail)];
    const sums = whole > 0n && kept + BigInt(size - 1) * other === whole;
    return { whole, size, covers: (earlier) => sums && earlier === size, at: (u, w) => (u === w ? kept : other) };
  }
  const { columns } = degradation;
  if (!Array.isArray(columns) || !columns.every(Array.isArray)) fail("not_a_list", "columns");
  const entries = columns.map((column, w) => column.map((x, u) => wholeOf(x, `columns.${w}.${u}`, fail)));
  const sums = whole > 0n && entries.every((column) => column.reduce((sum, x) => sum + x, 0n) === whole);
  return {
    whole,
    size: entries.length,
    covers: (earlier) => sums && entries.every((column) => column.length === earlier),
    at: (u, w) => entries[w][u],
  };
}

/**
 * @param {unknown} text
 * @param {string} field
 * @param {Fail} fail
 */
function wholeOf(text, field, fail) {
  if (typeof text !== "string" || !WHOLE.test(text)) fail("bad_number", field);
  return BigInt(text);
}

/**
 * Whether each column of the earlier table is that of the later one, degraded.
 * @param {CodedContents} earlier
 * @param {CodedContents} later
 * @param {Chances | null} chances
 */
export function isDegraded(earlier, later, chances) {
  if (earlier.truths !== later.truths) return false;
  const [before, now] = [earlier, later].map(({ denominator }) => BigInt(denominator));
  if (!chances) {
    const named = equal(earlier.reports, later.reports);
    return named && before === now && earlier.columns.every((column, v) => equal(column, later.columns[v]));
  }
  if (chances.size !== later.reports.length || !chances.covers(earlier.reports.length)) return false;
  return earlier.columns.every((column, v) =>
    column.every((entry, u) => {
      const sum = later.columns[v].reduce((total, x, w) => total + chances.at(u, w) * BigInt(x), 0n);
      return BigInt(entry) * chances.whole * now === sum * before;
    }),
  );
}

/**
 * @param {(number | string)[]} a
 * @param {(number | string)[]} b
 */
const equal = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

/**
 * A uniform integer in [0, n) by rejection, as `uniformBelow` of random.js and for any n: the low bits of
 * whole bytes, big-endian.
 * @param {bigint} n
 * @param {RandomBytes} randomBytes
 */
export function bigUniformBelow(n, randomBytes) {
  if (n < 1n) throw new RandomSourceError("bad_range", "n");
  const bits = n === 1n ? 0 : (n - 1n).toString(2).length;
  const count = Math.ceil(bits / 8);
  const mask = (1n << BigInt(bits)) - 1n;
  for (let tries = 0; tries < MOST_REJECTIONS; tries += 1) {
    const bytes = count ? randomBytes(count) : new Uint8Array(0);
    if (!(bytes instanceof Uint8Array) || bytes.length !== count) {
      throw new RandomSourceError("short_read", "randomBytes");
    }
    const value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) & mask;
    if (value < n) return value;
  }
  throw new RandomSourceError("stuck", "randomBytes");
}
