import { DeviceError } from "./errors.js";
import { parseDecimal, ratioWithin } from "./exact.js";
import { uniformBelow } from "./random.js";
import { IDENTIFIER, checkKeys, deepFreeze, isLabelList } from "./shape.js";

/**
 * One device of the parameters document: columns[truth][report] / denominator is a probability.
 * @typedef {object} Device
 * @property {string} id
 * @property {string[]} questions
 * @property {string} stratum
 * @property {string} design
 * @property {string[]} reports
 * @property {number} denominator
 * @property {number[][]} columns
 * @property {string | null} epsilon declared, as a decimal; null when answers are sent as they are
 */

/** No device may declare more than this, whatever a server sends. */
export const EPSILON_CAP = "8";

const KEYS = "id questions stratum design reports denominator columns epsilon".split(" ");

// Cumulative columns of the devices that passed; drawReport knows no other device.
const checked = new WeakMap();

/**
 * Verifies a device and freezes it.
 * @param {Device} device
 * @returns {Device} the same object
 * @throws {DeviceError} naming device, field and rule
 */
export function checkDevice(device) {
  const fail = (code, field) => {
    throw new DeviceError(code, field, String(device?.id));
  };
  checkKeys(device, KEYS, [], fail);
  deepFreeze(device);
  checkNames(device, fail);
  checkTable(device, fail);
  if (device.design === "direct") checkDirect(device, fail);
  else checkEpsilon(device, fail);
  checked.set(device, device.columns.map(cumulative));
  return device;
}

function checkNames({ id, questions, stratum, design, reports }, fail) {
  const named = { id, stratum, design };
  for (const field of Object.keys(named)) {
    if (typeof named[field] !== "string" || !IDENTIFIER.test(named[field])) fail("bad_name", field);
  }
  const valid = Array.isArray(questions) && questions.length > 0;
  if (!valid || !questions.every((x) => typeof x === "string" && IDENTIFIER.test(x))) {
    fail("bad_name", "questions");
  }
  if (new Set(questions).size < questions.length) fail("duplicate", "questions");
  if (!isLabelList(reports)) fail("bad_labels", "reports");
}

function isPowerOfTwo(value) {
  return Number.isSafeInteger(value) && value > 0 && (BigInt(value) & BigInt(value - 1)) === 0n;
}

function checkTable({ denominator, columns, reports }, fail) {
  if (!isPowerOfTwo(denominator)) fail("not_power_of_two", "denominator");
  if (!Array.isArray(columns) || columns.length < 2) fail("wrong_length", "columns");
  for (const [v, column] of columns.entries()) {
    if (!Array.isArray(column) || column.length !== reports.length) {
      fail("wrong_length", `columns.${v}`);
    }
    // What is left, not the sum: below zero it cannot come back, however large the entries.
    let left = denominator;
    for (const [u, entry] of column.entries()) {
      if (!Number.isSafeInteger(entry) || entry < 0) fail("not_an_integer", `columns.${v}.${u}`);
      left -= entry;
    }
    if (left !== 0) fail("wrong_sum", `columns.${v}`);
  }
}

function checkDirect({ columns, reports, denominator, epsilon }, fail) {
  if (epsilon !== null) fail("not_null", "epsilon");
  if (denominator !== 1) fail("not_one", "denominator");
  if (columns.length !== reports.length) fail("wrong_length", "columns");
  columns.forEach((column, v) => {
    if (column[v] !== 1) fail("not_identity", `columns.${v}`);
  });
}

function checkEpsilon(device, fail) {
  const units = parseDecimal(device.epsilon);
  if (units === null) fail("not_a_decimal", "epsilon");
  if (units <= 0n) fail("not_positive", "epsilon");
  if (units > parseDecimal(EPSILON_CAP)) fail("over_cap", "epsilon");
  for (const [most, least] of extremes(device)) {
    if (!ratioWithin(BigInt(most), BigInt(least), units)) fail("too_revealing", "epsilon");
  }
}

// Of each report: its largest and its smallest entry over the true answers.
function extremes({ columns, reports }) {
  return reports.map((_, u) => {
    const row = columns.map((column) => column[u]);
    return [Math.max(...row), Math.min(...row)];
  });
}

function cumulative(column) {
  let sum = 0;
  return Float64Array.from(column, (entry) => (sum += entry));
}

/**
 * Draws one report. Bytes and steps are the same for every true answer; nothing falls back to it.
 * @param {Device} device one that checkDevice has passed
 * @param {number} truthIndex position of the true answer among the categories
 * @param {import("./random.js").RandomBytes} randomBytes
 * @returns {number} the report's code
 */
export function drawReport(device, truthIndex, randomBytes) {
  const table = checked.get(device);
  if (!table) throw new DeviceError("not_checked", "device", String(device?.id));
  const bounds = Number.isSafeInteger(truthIndex) ? table[truthIndex] : undefined;
  if (!bounds) throw new DeviceError("not_a_category", "answer", device.id);
  const draw = uniformBelow(device.denominator, randomBytes);
  let code = 0;
  for (let u = 0; u < bounds.length; u += 1) code += Number(bounds[u] <= draw);
  return code;
}

/**
 * The device's epsilon as computed from its table, for display.
 * @param {Device} device
 * @returns {number} Infinity when a report can prove or rule out an answer
 */
export function epsilonOf(device) {
  const ratios = extremes(device).map(([most, least]) => (most > 0 ? most / least : 1));
  return Math.log(Math.max(...ratios));
}

/**
 * Natural frequencies: of so many people with each true answer, how many send each report.
 * Whole numbers that add up to `people` (largest remainders); ask for more people where a report
 * that can happen would show as 0.
 * @param {Device} device
 * @param {number} [people]
 * @returns {number[][]} by true answer, then by report
 */
export function frequencies({ columns, denominator }, people = 100) {
  return columns.map((column) => {
    const shares = column.map((entry) => (entry / denominator) * people);
    const whole = shares.map(Math.floor);
    const byRemainder = shares.map((_, u) => u).sort((a, b) => shares[b] % 1 - (shares[a] % 1));
    const left = people - whole.reduce((sum, x) => sum + x, 0);
    for (const u of byRemainder.slice(0, left)) whole[u] += 1;
    return whole;
  });
}
