import { DeviceError } from "./errors.js";
import { excessWithin, parseDecimal } from "./exact.js";
import { uniformBelow } from "./random.js";
import { checkKeys, deepFreeze, isCode, isLabelList, isName } from "./shape.js";

// No device may declare more than this, whatever a server sends.
const EPSILON_CAP = 8n * 10n ** 12n;
/** The stratum of everybody; others are of physical randomizers, or of people whom chance puts there. */
export const PAGE = "page";

const KEYS = "id questions option stratum family look table epsilon delta instructions search earlier".split(" ");
const MOST_OUTCOMES = 2 ** 52;

// How each checked device of the page draws, and which reports it has.
/** @type {WeakMap<AnyDevice, CheckedTable>} */
const tables = new WeakMap();

/**
 * Verifies a device and freezes it.
 * @param {ServedDevice} raw
 * @param {CheckParts} parts modules that only some surveys need
 * @returns {AnyDevice} with the contents of its table
 * @throws {DeviceError} with device, field and rule
 */
export function checkDevice(raw, parts = new Map()) {
  /** @type {Fail} */
  const fail = (code, field) => {
    throw new DeviceError(code, field, String(raw?.id));
  };
  checkKeys(raw, KEYS, [], fail);
  deepFreeze(raw);
  const { table, earlier } = raw;
  if (!Array.isArray(earlier)) fail("not_a_list", "earlier");
  const needed = partsOf(raw).map((name) => parts.get(name) ?? fail("not_loaded", name));
  /** @type {CheckPart["form"]} */
  const form = isCoded(table) ? codedTable : parts.get(table?.form)?.form;
  if (!form) fail("unknown_form", "table");
  const checked = form(table, (code, field) => fail(code, `table.${field}`), isDrawn(raw));
  const device = deepFreeze({ ...raw, ...checked.contents });
  checkNames(device, fail);
  if (device.epsilon === null) checkDirect(device, fail);
  else checkEpsilon(device, fail);
  for (const part of needed) part.check?.(device, fail, parts);
  if (isDrawn(raw)) tables.set(device, checked);
  return device;
}

/**
 * Whether the page draws its reports, and no hand: a hand needs to be told how.
 * @param {Pick<ServedDevice, "instructions">} device
 */
export const isDrawn = ({ instructions }) => instructions?.length === 0;

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
 * @param {number} denominator
 * @param {boolean} onPage
 * @param {Fail} fail
 */
export function checkDenominator(denominator, onPage, fail) {
  const possible = Number.isSafeInteger(denominator) && denominator > 0 && denominator <= MOST_OUTCOMES;
  if (!onPage && !possible) fail("bad_number", "denominator");
  const power = possible && (BigInt(denominator) & BigInt(denominator - 1)) === 0n;
  if (onPage && !power) fail("not_power_of_two", "denominator");
}

// The keys of tables whose reports are codes, by form.
const CODED = { dense: ["columns"], uniform: ["kept", "other"] };

/**
 * Whether its entries are in the table, so that no other module is needed.
 * @param {Table} table
 * @returns {table is CodedTable}
 */
export const isCoded = (table) => Object.hasOwn(CODED, String(table?.form));

/** @param {Pick<ServedDevice, "stratum" | "instructions" | "search">} device */
const isPlain = ({ stratum, instructions, search }) =>
  stratum === PAGE && search === null && Array.isArray(instructions) && !instructions.length;

/**
 * The modules that a device needs besides this one.
 * @param {ServedDevice} device
 * @returns {string[]} of a physical randomizer and the like, its look, its table's form, its delta, earlier waves
 */
export const partsOf = ({ look, table, delta, earlier, ...device }) =>
  [
    isPlain(device) ? "" : "rules",
    look === "codes" ? "" : look,
    isCoded(table) ? "" : table?.form,
    delta === null ? "" : "delta",
    earlier?.length ? "earlier" : "",
  ].filter(Boolean);

/**
 * The entries of a table, and how to draw from them.
 * @param {CodedTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {CheckedTable<CodedContents, number>}
 */
export function codedTable(table, fail, onPage) {
  checkKeys(table, ["form", "reports", "denominator", ...CODED[table.form]], [], fail);
  const { reports, denominator } = table;
  if (!isLabelList(reports)) fail("bad_labels", "reports");
  checkDenominator(denominator, onPage, fail);
  const columns = table.columns ?? reports.map((_, v) => reports.map((_, u) => (u === v ? table.kept : table.other)));
  checkColumns(columns, table, fail);
  const bounds = columns.map(cumulative);
  const contents = { reports, denominator, columns, truths: columns.length };
  return {
    contents,
    draw: (truth, randomBytes) => drawCode(bounds, denominator, truth, randomBytes),
    has: (report) => isCode(report) && report < reports.length,
    longest: String(reports.length - 1).length,
  };
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
    // Subtracting stays exact: once below zero it stays there, however large the entries.
    let left = denominator;
    for (const [u, entry] of column.entries()) {
      if (!Number.isSafeInteger(entry) || entry < 0) fail("not_an_integer", `columns.${v}.${u}`);
      left -= entry;
    }
    if (left !== 0) fail("wrong_sum", `columns.${v}`);
  }
}

/**
 * Answers are sent as they are.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
function checkDirect({ columns, reports, delta }, fail) {
  if (delta !== null) fail("not_null", "delta");
  if (columns?.length !== reports?.length) fail("wrong_length", "table");
  if (!columns?.every((column, v) => column[v] === 1)) fail("not_identity", "table");
}

/**
 * delta.js checks a delta.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
function checkEpsilon(device, fail) {
  const units = parseDecimal(device.epsilon);
  if (units === null) fail("not_a_decimal", "epsilon");
  if (units <= 0n) fail("not_positive", "epsilon");
  if (units > EPSILON_CAP) fail("over_cap", "epsilon");
  const bounded = extremes(device).every(([most, least]) => excessWithin([most], [least], units));
  if (device.delta === null && !bounded) fail("too_revealing", "epsilon");
}

/**
 * The largest and the smallest entry of each report over the true answers.
 * @overload
 * @param {CodedContents} contents
 * @returns {[number, number][]}
 *
 * @overload
 * @param {TableContents} contents
 * @returns {Extremes[]}
 *
 * @param {TableContents} contents
 * @returns {Extremes[]}
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
 * Draws one report, with the same bytes and steps for every true answer.
 * @overload
 * @param {Device} device of the page, from checkDevice
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
  const table = tables.get(device);
  if (!table) throw new DeviceError("not_checked", "device", String(device?.id));
  const report = table.draw(truth, randomBytes);
  if (report === undefined) throw new DeviceError("not_a_category", "answer", device.id);
  return report;
}

/**
 * Whether a value is in the report space of a checked device of the page.
 * @param {AnyDevice} device
 * @param {unknown} report
 */
export const isReportOf = (device, report) => tables.get(device)?.has(report) === true;

/**
 * How long a report of a checked device can be: `longest` of its table.
 * @param {AnyDevice} device
 */
export const longestReport = (device) => tables.get(device)?.longest ?? 0;

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
 * Natural frequencies by true answer, then by report (largest remainders).
 * @param {Device} device
 * @param {number} [people] what the counts of an answer add up to
 */
export function frequencies({ columns, denominator }, people = 100) {
  return columns.map((column) => {
    const shares = column.map((entry) => (entry / denominator) * people);
    const counts = shares.map(Math.floor);
    const byRemainder = shares.map((_, u) => u).sort((a, b) => shares[b] % 1 - (shares[a] % 1));
    const left = people - counts.reduce((sum, x) => sum + x, 0);
    for (const u of byRemainder.slice(0, left)) counts[u] += 1;
    return counts;
  });
}
