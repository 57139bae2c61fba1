/** The Bloom filter of a text: which bits it sets. docs/methods/rappor.md; rr_engine/rappor/ does the same. */

import { DeviceError } from "./errors.js";

const NUMBERS = 8; // of 32 bits in a SHA-256
// Soft hyphen, zero-width space, marks of direction, word joiner, byte order mark, picture selectors.
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u2060\ufeff\ufe0e\ufe0f]/g;
// Control characters and white space, written out: the two languages differ on what \s is.
const SPACES = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
/** @type {[RegExp, string][]} after lower case: what is one letter to a reader, and ' " - of keyboards */
const FOLDED = [
  [/ς/g, "σ"],
  [/ß/g, "ss"],
  [/i\u0307/g, "i"],
  [/[‘’ʼ]/g, "'"],
  [/[“”„]/g, '"'],
  [/[‐‑‒–—−]/g, "-"],
];

/**
 * The form in which texts are compared and hashed.
 * @param {string} text
 * @returns {string} empty when nothing can be seen of the text
 */
export function normalizeText(text) {
  const lower = text.replace(/\p{Surrogate}/gu, "\ufffd").normalize("NFKC").toLowerCase();
  let folded = lower.replace(INVISIBLE, "");
  for (const [letters, replacement] of FOLDED) folded = folded.replace(letters, replacement);
  return folded.normalize("NFKC").replace(SPACES, " ").replace(/^ | $/g, "");
}

/**
 * The different bits that a text sets in a cohort, in the order of the hash.
 * @param {string} text
 * @param {number} cohort from 0 on
 * @param {{bits: number, hashes: number}} filter its length, and how many bits are set: at most half
 * @returns {Promise<number[]>}
 * @throws {DeviceError} insecure_context: browsers hide SHA-256 over plain http
 */
export async function bloomPositions(text, cohort, { bits, hashes }) {
  const words = normalizeText(text);
  if (!words) throw new DeviceError("empty_text", "answer", "");
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
