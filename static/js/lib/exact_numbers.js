/** Numbers with all their digits, for pages that ask for one. */

const language = document.documentElement.lang || "en";
const exact = new Intl.NumberFormat(language, { maximumFractionDigits: 6 });
const typed = new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping: false });

/**
 * With every digit, down to millionths.
 * @param {number} value
 */
export const formatExact = (value) => exact.format(value);

/**
 * A number as it is typed, with every digit and without groups.
 * @param {number} value
 */
export const formatTyped = (value) => typed.format(value);

/** The sign that groups the digits of large numbers; empty where there is none. */
export const GROUP = exact.formatToParts(1234567.5).find(({ type }) => type === "group")?.value ?? "";
