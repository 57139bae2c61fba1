/**
 * Short texts: which bits of a Bloom filter a text sets (docs/methods/rappor.md; rr_engine/rappor/ does the
 * same), and tables whose report is such a filter after chance, in a cohort that chance has drawn.
 */

import { checkDenominator } from "./device.js";
import { DeviceError } from "./errors.js";
import { uniformBelow } from "./random.js";
import { checkKeys, isCode } from "./shape.js";

const KEYS = ["form", "cohorts", "bits", "hashes", "denominator", "one", "zero"];
const MOST_BITS = 4096;
const MOST_CELLS = 2 ** 18;
const MOST_CHARACTERS = 200;
const NUMBERS = 8; // of 32 bits in a SHA-256

/**
 * @param {BloomTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {CheckedTable<OtherContents, FilterReport>}
 */
export function form(table, fail, onPage) {
  checkKeys(table, KEYS, [], fail);
  const { cohorts, bits, hashes, denominator, one, zero } = table;
  checkSize({ cohorts: [cohorts, 1, MOST_CELLS / 2], bits: [bits, 2, MOST_BITS], hashes: [hashes, 1, MOST_BITS / 2] }, fail);
  checkDenominator(denominator, onPage, fail);
  for (const [field, entry] of Object.entries({ one, zero })) {
    if (!isCode(entry)) fail("not_an_integer", field);
    if (entry > denominator) fail("wrong_sum", field);
  }
  if (one <= zero) fail("bad_filter", "one");
  if (2 * hashes > bits) fail("bad_filter", "hashes");
  if (cohorts * bits > MOST_CELLS) fail("bad_filter", "cohorts");
  return {
    contents: { bits, truths: null, worst: [worstOf(table)] },
    draw: (marks, randomBytes) => drawFilter(table, marks, randomBytes),
    has: (report) => isReport(table, report),
    longest: [String(cohorts - 1).length, bits + 2],
  };
}

/**
 * @param {Record<string, [number, number, number]>} sizes with the least and the most that they may be
 * @param {Fail} fail
 */
function checkSize(sizes, fail) {
  for (const [field, [size, least, most]] of Object.entries(sizes)) {
    if (!Number.isSafeInteger(size) || size < least || size > most) fail("bad_number", field);
  }
}

/**
 * The likelihoods of the report that differs most between two texts: each of them sets `hashes` bits that the other
 * clears.
 * @param {BloomTable} table
 * @returns {[bigint, bigint]}
 */
function worstOf({ hashes, denominator, one, zero }) {
  const [whole, set, clear] = [BigInt(denominator), BigInt(one), BigInt(zero)];
  const power = BigInt(hashes);
  return [(set * (whole - clear)) ** power, (clear * (whole - set)) ** power];
}

/**
 * Draws a report, by the same bytes and steps for every text.
 * @param {BloomTable} table
 * @param {Truth} marks
 * @param {RandomBytes} randomBytes
 * @returns {FilterReport | undefined}
 */
function drawFilter(table, marks, randomBytes) {
  if (!isMarks(table, marks)) return undefined;
  const { bits, denominator, one, zero } = table;
  const own = new Set(marks.positions);
  let report = "";
  for (let bit = 0; bit < bits; bit += 1) {
    const entry = [zero, one][Number(own.has(bit))];
    report += Number(uniformBelow(denominator, randomBytes) < entry);
  }
  return [marks.cohort, report];
}

/**
 * @param {BloomTable} table
 * @param {Truth} value
 * @returns {value is Marks}
 */
function isMarks({ cohorts, bits, hashes }, value) {
  if (typeof value !== "object" || Array.isArray(value) || !("positions" in value)) return false;
  const { cohort, positions } = value;
  const inFilter = positions.every((place) => isCode(place) && place < bits);
  return isCode(cohort) && cohort < cohorts && inFilter && new Set(positions).size === hashes;
}

/**
 * @param {BloomTable} table
 * @param {unknown} report
 */
function isReport({ cohorts, bits }, report) {
  if (!Array.isArray(report) || report.length !== 2) return false;
  const [cohort, filter] = report;
  return isCode(cohort) && cohort < cohorts && typeof filter === "string" && filter.length === bits && /^[01]+$/.test(filter);
}

/**
 * A question that takes a short text: of its categories there is only the refusal.
 * @param {Question} question
 * @param {Fail} fail
 */
export function checkQuestion({ categories, characters, prefer_not: refusal }, fail) {
  if (!Array.isArray(categories) || !categories.every((x) => typeof x === "string" && x)) fail("bad_labels", "categories");
  if (categories.length !== Number(refusal)) fail("wrong_length", "categories");
  const fits = isCode(characters) && characters >= 1 && characters <= MOST_CHARACTERS;
  if (!fits) fail("bad_number", "characters");
}

/**
 * The cohort of one person: drawn before there is a text, so that it says nothing about it.
 * @param {BloomTable} table
 * @param {RandomBytes} randomBytes
 */
export const drawCohort = ({ cohorts }, randomBytes) => uniformBelow(cohorts, randomBytes);

/**
 * The input of a device's draw.
 * @param {BloomTable} table
 * @param {Typed} typed
 * @returns {Promise<Marks>}
 */
export const marksOf = async (table, { words, cohort }) => ({
  cohort,
  positions: await wordPositions(words, cohort, table),
});

/**
 * The different bits that a normalized text sets in a cohort, in the order of the hash; the empty one stands for a refusal.
 * @param {string} words
 * @param {number} cohort from 0 on
 * @param {{bits: number, hashes: number}} filter its length, and how many bits are set: at most half
 * @returns {Promise<number[]>}
 * @throws {DeviceError} insecure_context: browsers hide SHA-256 over plain http
 */
export async function wordPositions(words, cohort, { bits, hashes }) {
  const whole = [cohort, bits, hashes].every(Number.isSafeInteger);
  if (!whole || cohort < 0 || hashes < 1 || 2 * hashes > bits) throw new DeviceError("bad_number", "hashes", "");
  /** @type {Set<number>} */
  const positions = new Set();
  for (let block = 0; positions.size < hashes; block += 1) {
    for (const number of await hashNumbers(`candor bloom ${cohort} ${block} ${words}`)) {
      if (positions.size < hashes) positions.add(number % bits);
    }
  }
  return [...positions];
}

/**
 * @param {string} text
 * @returns {Promise<number[]>} the SHA-256 as big-endian numbers
 */
async function hashNumbers(text) {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) throw new DeviceError("insecure_context", "crypto.subtle", "");
  const digest = new DataView(await subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from({ length: NUMBERS }, (_, i) => digest.getUint32(4 * i));
}
