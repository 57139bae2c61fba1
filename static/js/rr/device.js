import { DeviceError } from "./errors.js";
import { excessWithin, parseDecimal } from "./exact.js";
import { uniformBelow } from "./random.js";
import { checkKeys, deepFreeze, isLabelList, isName, isRecord } from "./shape.js";

/** No device may declare more than this, whatever a server sends. */
export const EPSILON_CAP = "8";
/** The stratum that the browser draws for; any other is in somebody's hands. */
export const PAGE = "page";

const KEYS = (
  "id questions option stratum design reports denominator columns epsilon delta instructions search"
).split(" ");
const MOST_OUTCOMES = 2 ** 52;
const ONE = 10n ** 12n;

// Cumulative columns of the page's devices that passed; drawReport knows no other device.
/** @type {WeakMap<Device, Float64Array[]>} */
const checked = new WeakMap();

/**
 * Whether its reports are cards that show some of the answers.
 * @param {Device | undefined} device
 */
export const isDeck = (device) => device?.design === "cards";

/**
 * Verifies a device and freezes it; a DeviceError names device, field and rule. `cards` is the
 * module cards.js: without it no deck passes.
 * @param {Device} device
 * @param {typeof import("./cards.js") | null} [cards]
 */
export function checkDevice(device, cards = null) {
  /** @type {Fail} */
  const fail = (code, field) => {
    throw new DeviceError(code, field, String(device?.id));
  };
  checkKeys(device, KEYS, [], fail);
  deepFreeze(device);
  checkNames(device, fail);
  checkHands(device, fail);
  checkSearch(device, fail);
  checkDenominator(device, fail);
  checkTable(device, fail);
  if (device.design === "direct") checkDirect(device, fail);
  else checkEpsilon(device, fail);
  if (isDeck(device)) cards ? cards.checkDeck(device, fail) : fail("not_loaded", "design");
  if (device.stratum === PAGE) checked.set(device, device.columns.map(cumulative));
  return device;
}

/**
 * @param {Device} device
 * @param {Fail} fail
 */
function checkNames({ id, questions, stratum, design, reports }, fail) {
  const named = { id, stratum, design };
  for (const [field, name] of Object.entries(named)) if (!isName(name)) fail("bad_name", field);
  if (!Array.isArray(questions) || questions.length !== 1) fail("wrong_length", "questions");
  if (!isName(questions[0])) fail("bad_name", "questions");
  if (!isLabelList(reports)) fail("bad_labels", "reports");
}

/**
 * The page needs no instructions, a device in somebody's hands does.
 * @param {Device} device
 * @param {Fail} fail
 */
function checkHands({ stratum, instructions }, fail) {
  const texts = Array.isArray(instructions) && instructions.every((x) => x && typeof x === "string");
  if (!texts || (stratum === PAGE) !== (instructions.length === 0)) fail("bad_text", "instructions");
}

/**
 * What a searched table was searched for: a record for researchers, which nothing here rests on.
 * @param {Device} device
 * @param {Fail} fail
 */
function checkSearch({ search, design, stratum }, fail) {
  const searched = design === "searched" && stratum === PAGE;
  if (searched ? !isRecord(search) : search !== null) fail("bad_search", "search");
}

/**
 * @param {Device} device
 * @param {Fail} fail
 */
function checkDenominator({ denominator: whole, stratum }, fail) {
  const possible = Number.isSafeInteger(whole) && whole > 0 && whole <= MOST_OUTCOMES;
  const anyDoes = stratum !== PAGE;
  if (anyDoes && !possible) fail("bad_number", "denominator");
  const power = possible && (BigInt(whole) & BigInt(whole - 1)) === 0n;
  if (!anyDoes && !power) fail("not_power_of_two", "denominator");
}

/**
 * @param {Device} device
 * @param {Fail} fail
 */
function checkTable({ denominator, columns, reports }, fail) {
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

/**
 * @param {Device} device
 * @param {Fail} fail
 */
function checkDirect({ columns, reports, denominator, epsilon, delta }, fail) {
  if (epsilon !== null) fail("not_null", "epsilon");
  if (delta !== null) fail("not_null", "delta");
  if (denominator !== 1) fail("not_one", "denominator");
  if (columns.length !== reports.length) fail("wrong_length", "columns");
  columns.forEach((column, v) => {
    if (column[v] !== 1) fail("not_identity", `columns.${v}`);
  });
}

/**
 * @param {Device} device
 * @param {Fail} fail
 */
function checkEpsilon(device, fail) {
  const units = parseDecimal(device.epsilon);
  if (units === null) fail("not_a_decimal", "epsilon");
  if (units <= 0n) fail("not_positive", "epsilon");
  if (units > (parseDecimal(EPSILON_CAP) ?? 0n)) fail("over_cap", "epsilon");
  if (device.delta !== null) checkDelta(device, units, fail);
  else if (!extremes(device).every(([most, least]) => excessWithin([most], [least], units))) {
    fail("too_revealing", "epsilon");
  }
}

/**
 * @param {Device} device
 * @param {bigint} units of the epsilon
 * @param {Fail} fail
 */
function checkDelta({ delta, columns, denominator }, units, fail) {
  const share = parseDecimal(delta);
  if (share === null) fail("not_a_decimal", "delta");
  if (share <= 0n || share >= ONE) fail("not_a_share", "delta");
  /** @param {number[]} here */
  const kept = (here) => columns.every((x) => excessWithin(here, x, units, share, denominator));
  if (!columns.every(kept)) fail("too_revealing", "delta");
}

/**
 * Of each report: its largest and its smallest entry over the true answers.
 * @param {Device} device
 * @returns {[number, number][]}
 */
export function extremes({ columns, reports }) {
  return reports.map((_, u) => {
    const row = columns.map((column) => column[u]);
    return [Math.max(...row), Math.min(...row)];
  });
}

/** @param {number[]} column */
function cumulative(column) {
  let sum = 0;
  return Float64Array.from(column, (entry) => (sum += entry));
}

/**
 * Draws one report. Bytes and steps are the same for every true answer; nothing falls back to it.
 * @param {Device} device one of the page's that checkDevice has passed
 * @param {number} truthIndex the code of the true answer: which column
 * @param {RandomBytes} randomBytes
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
 * Natural frequencies by true answer, then by report: of so many people, how many send it. Whole
 * numbers that add up to `people` (largest remainders).
 * @param {Device} device
 * @param {number} [people]
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
