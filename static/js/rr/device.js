import { DeviceError } from "./errors.js";
import { excessWithin, parseDecimal } from "./exact.js";
import { uniformBelow } from "./random.js";
import { checkKeys, deepFreeze, isLabelList, isName, isRecord } from "./shape.js";

// No device may declare more than this, whatever a server sends.
const EPSILON_CAP = 8n * 10n ** 12n;
/** The stratum that the browser draws for; any other is a physical randomizer's. */
export const PAGE = "page";

const KEYS = "id questions option stratum family look table epsilon delta instructions search".split(" ");
const MOST_OUTCOMES = 2 ** 52;

// How the page's devices that passed draw; drawReport knows no other device.
/** @type {WeakMap<AnyDevice, Made["draw"]>} */
const drawers = new WeakMap();

/**
 * Verifies a device and freezes it; a DeviceError names device, field and rule. `parts` has the modules
 * that only some surveys need: looks, and forms of tables whose reports are no codes.
 * @param {ServedDevice} raw
 * @param {CheckParts} parts
 * @returns {AnyDevice} with what its table says
 */
export function checkDevice(raw, parts = new Map()) {
  /** @type {Fail} */
  const fail = (code, field) => {
    throw new DeviceError(code, field, String(raw?.id));
  };
  checkKeys(raw, KEYS, [], fail);
  deepFreeze(raw);
  const { table, stratum } = raw;
  const needed = partsOf(raw).map((name) => parts.get(name) ?? fail("not_loaded", name));
  /** @type {CheckPart["form"]} */
  const form = isCoded(table) ? coded : parts.get(table?.form)?.form;
  if (!form) fail("unknown_form", "table");
  const { says, draw } = form(table, (code, field) => fail(code, `table.${field}`), stratum === PAGE);
  const device = deepFreeze({ ...raw, ...says });
  checkNames(device, fail);
  checkHands(device, fail);
  if (device.epsilon === null) checkDirect(device, fail);
  else checkEpsilon(device, fail);
  for (const part of needed) part.check?.(device, fail);
  if (stratum === PAGE) drawers.set(device, draw);
  return device;
}

/**
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
function checkNames({ id, questions, stratum, family, look }, fail) {
  const named = { id, stratum, family, look };
  for (const [field, name] of Object.entries(named)) if (!isName(name)) fail("bad_name", field);
  if (!Array.isArray(questions) || !questions.length) fail("wrong_length", "questions");
  if (!questions.every(isName)) fail("bad_name", "questions");
}

/**
 * The page needs no instructions, a physical randomizer does. What a table was searched for
 * is a record for researchers, which nothing here rests on.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
function checkHands({ stratum, instructions, search }, fail) {
  const texts = Array.isArray(instructions) && instructions.every((x) => x && typeof x === "string");
  if (!texts || (stratum === PAGE) !== (instructions.length === 0)) fail("bad_text", "instructions");
  if (search !== null && (stratum !== PAGE || !isRecord(search))) fail("bad_search", "search");
}

/**
 * @param {number} whole
 * @param {boolean} onPage
 * @param {Fail} fail
 */
export function checkDenominator(whole, onPage, fail) {
  const possible = Number.isSafeInteger(whole) && whole > 0 && whole <= MOST_OUTCOMES;
  if (!onPage && !possible) fail("bad_number", "denominator");
  const power = possible && (BigInt(whole) & BigInt(whole - 1)) === 0n;
  if (onPage && !power) fail("not_power_of_two", "denominator");
}

// By form of table, how it gives the entries of one whose reports are codes.
const CODED = { dense: ["columns"], uniform: ["kept", "other"] };

/**
 * @param {Table} table
 * @returns {table is CodedTable}
 */
export const isCoded = (table) => Object.hasOwn(CODED, String(table?.form));

/**
 * The modules that a device needs besides this one: of its look, of its table's form, of its delta.
 * @param {ServedDevice} device
 * @returns {string[]}
 */
export const partsOf = ({ look, table, delta }) =>
  [look === "codes" ? "" : look, isCoded(table) ? "" : table?.form, delta === null ? "" : "delta"].filter(Boolean);

/**
 * What a table says: its entries written down, and how to draw from them.
 * @param {CodedTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {Made<CodedSays, number>}
 */
export function coded(table, fail, onPage) {
  checkKeys(table, ["form", "reports", "denominator", ...CODED[table.form]], [], fail);
  const { reports, denominator } = table;
  if (!isLabelList(reports)) fail("bad_labels", "reports");
  checkDenominator(denominator, onPage, fail);
  const columns = table.columns ?? reports.map((_, v) => reports.map((_, u) => (u === v ? table.kept : table.other)));
  checkColumns(columns, table, fail);
  const bounds = columns.map(cumulative);
  return { says: { reports, denominator, columns, truths: columns.length }, draw: (...given) => drawCode(bounds, denominator, ...given) };
}

/**
 * @param {number[][]} columns
 * @param {CodedTable} table
 * @param {Fail} fail
 */
function checkColumns(columns, { denominator, reports }, fail) {
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
 * Nothing is scrambled: every answer is sent as it is.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
function checkDirect({ columns, reports, delta }, fail) {
  if (delta !== null) fail("not_null", "delta");
  if (columns?.length !== reports?.length) fail("wrong_length", "table");
  if (!columns?.every((column, v) => column[v] === 1)) fail("not_identity", "table");
}

/**
 * What there is to check of a delta is in delta.js.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
function checkEpsilon(device, fail) {
  const units = parseDecimal(device.epsilon);
  if (units === null) fail("not_a_decimal", "epsilon");
  if (units <= 0n) fail("not_positive", "epsilon");
  if (units > EPSILON_CAP) fail("over_cap", "epsilon");
  const kept = extremes(device).every(([most, least]) => excessWithin([most], [least], units));
  if (device.delta === null && !kept) fail("too_revealing", "epsilon");
}

/**
 * Of each report: its largest and its smallest entry over the true answers.
 * @overload
 * @param {CodedSays} says
 * @returns {[number, number][]}
 *
 * @overload
 * @param {Says} says
 * @returns {Ends[]}
 *
 * @param {Says} says
 * @returns {Ends[]}
 */
export function extremes({ columns, reports, worst }) {
  if (!columns) return worst;
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
 * @overload
 * @param {Device} device one of the page's that checkDevice has passed
 * @param {number} truth the code of the true answer: which column
 * @param {RandomBytes} randomBytes
 * @returns {number} the report's code
 *
 * @overload
 * @param {AnyDevice} device
 * @param {Truth} truth
 * @param {RandomBytes} randomBytes
 * @returns {DrawnReport}
 *
 * @param {AnyDevice} device
 * @param {Truth} truth
 * @param {RandomBytes} randomBytes
 * @returns {DrawnReport}
 */
export function drawReport(device, truth, randomBytes) {
  const draw = drawers.get(device);
  if (!draw) throw new DeviceError("not_checked", "device", String(device?.id));
  const report = draw(truth, randomBytes);
  if (report === undefined) throw new DeviceError("not_a_category", "answer", device.id);
  return report;
}

/**
 * @param {Float64Array[]} table
 * @param {number} denominator
 * @param {Truth} truth
 * @param {RandomBytes} randomBytes
 */
function drawCode(table, denominator, truth, randomBytes) {
  const bounds = Number.isSafeInteger(truth) ? table[Number(truth)] : undefined;
  if (!bounds) return undefined;
  const draw = uniformBelow(denominator, randomBytes);
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
