/** Predicates for the shape of parsed JSON. */

// A question's id has up to 32 characters; a device's may end in the number of an option.
const IDENTIFIER = /^[a-z][a-z0-9_]{0,34}$/;

/** @param {unknown} value */
export const isName = (value) => typeof value === "string" && IDENTIFIER.test(value);

/** @param {unknown} value @returns {value is number} whether it can be the code of a report */
export const isCode = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** @param {unknown} value @returns {value is Record<string, unknown>} whether it is a plain object */
export function isRecord(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const parent = Object.getPrototypeOf(value);
  return parent === null || Object.getPrototypeOf(parent) === null;
}

/** @param {unknown} value whether it is a list of at least two different, non-empty strings */
export function isLabelList(value) {
  if (!Array.isArray(value) || value.length < 2) return false;
  const labels = [...new Set(value)];
  return labels.length === value.length && labels.every((x) => typeof x === "string" && x);
}

/**
 * Calls `fail(code, key)` for the first key that is missing or unknown.
 * @param {unknown} value
 * @param {string[]} required
 * @param {string[]} optional
 * @param {Fail} fail
 */
export function checkKeys(value, required, optional, fail) {
  if (!isRecord(value)) fail("not_an_object", "");
  const missing = required.find((key) => !Object.hasOwn(value, key));
  if (missing) fail("missing_key", missing);
  const allowed = [...required, ...optional];
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown !== undefined) fail("unknown_key", unknown);
}

/**
 * Freezes parsed JSON to its leaves: nothing changes after it is checked.
 * @template Value
 * @param {Value} value
 * @returns {Value}
 */
export function deepFreeze(value) {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
