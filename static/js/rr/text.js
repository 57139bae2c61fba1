/** The one form of a text that Python and the browser agree on: rr_engine/rappor/bloom.py does the same. */

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
 * Only reports of texts are shown as those of texts.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
export function check({ table }, fail) {
  if (table.form !== "bloom") fail("bad_form", "table");
}
