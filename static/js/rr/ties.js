/**
 * Questions about members, and tables whose report has a bit for each of the others: any set of them may be named, and each
 * bit is drawn by itself.
 */

import { checkDenominator } from "./device.js";
import { uniformBelow } from "./random.js";
import { checkKeys, isCode } from "./shape.js";
import { MEMBERS } from "./wire.js";

const KEYS = ["form", "bits", "denominator", "one", "zero"];
// The others of 3 and of 1,000 members.
const [FEWEST, MOST] = [2, 999];

/**
 * @param {TiesTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {CheckedTable<OtherContents, string>}
 */
export function form(table, fail, onPage) {
  checkKeys(table, KEYS, [], fail);
  const { bits, denominator, one, zero } = table;
  if (!Number.isSafeInteger(bits) || bits < FEWEST || bits > MOST) fail("bad_number", "bits");
  checkDenominator(denominator, onPage, fail);
  for (const [field, entry] of Object.entries({ one, zero })) {
    if (!isCode(entry)) fail("not_an_integer", field);
    if (entry > denominator) fail("wrong_sum", field);
  }
  if (one <= zero) fail("bad_ties", "one");
  return {
    contents: { bits, truths: null, worst: worstOf(table) },
    draw: (named, randomBytes) => drawTies(table, named, randomBytes),
    has: (report) => typeof report === "string" && report.length === bits && /^[01]+$/.test(report),
    longest: bits + 2,
  };
}

/**
 * The likelihoods of one tie alone, which is what the epsilon of such a device is about: its bit sent as 1, and as 0.
 * @param {TiesTable} table
 * @returns {[bigint, bigint][]}
 */
function worstOf({ denominator, one, zero }) {
  const [whole, tie, none] = [BigInt(denominator), BigInt(one), BigInt(zero)];
  return [
    [tie, none],
    [whole - none, whole - tie],
  ];
}

/**
 * Draws a report, by the same bytes and steps for every set of ties.
 * @param {TiesTable} table
 * @param {Truth} truth
 * @param {RandomBytes} randomBytes
 */
function drawTies({ bits, denominator, one, zero }, truth, randomBytes) {
  if (!isNamed(truth) || truth.ties.length !== bits) return undefined;
  let report = "";
  for (let bit = 0; bit < bits; bit += 1) {
    const entry = [zero, one][truth.ties[bit]];
    report += Number(uniformBelow(denominator, randomBytes) < entry);
  }
  return report;
}

/**
 * @param {unknown} truth
 * @returns {truth is Named}
 */
function isNamed(truth) {
  if (typeof truth !== "object" || truth === null || !("ties" in truth)) return false;
  // Zeros and ones, by the same steps for either.
  return Array.isArray(truth.ties) && truth.ties.every((bit) => (bit & 1) === bit);
}

/**
 * Only reports on members are shown as such.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
export function check({ table }, fail) {
  if (table.form !== "ties") fail("bad_form", "table");
}

/**
 * Checks a question about members, who are its answers.
 * @param {Question} question
 * @param {Fail} fail
 */
export function checkQuestion({ control, categories, prefer_not: refusal, directed }, fail) {
  if (control !== MEMBERS || typeof directed !== "boolean") fail("bad_roster", "directed");
  if (!Array.isArray(categories) || categories.length || refusal) fail("wrong_length", "categories");
}
