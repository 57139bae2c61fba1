/**
 * Numbers on pages for authors and researchers, as the page's language writes them; `surveys/numbers`
 * is the same on the server. Respondents' pages have theirs in i18n.js, to stay light.
 */

const language = document.documentElement.lang || "en";
const exact = new Intl.NumberFormat(language, { maximumFractionDigits: 12 });
const parts = exact.formatToParts(1234567.5);
/** @param {Intl.NumberFormatPartTypes} type */
const sign = (type) => parts.find((part) => part.type === type)?.value ?? "";
const GROUP = sign("group");
const DECIMAL = sign("decimal");
const MINUS = "−";
const UNKNOWN = "–";

/** Separates the ends of an interval. */
export const ENDS = "…";

/**
 * With every digit.
 * @param {number} value
 */
export const exactNumber = (value) => exact.format(value);

/**
 * A number of the page as spreadsheets read it: without percent sign and grouping, with an ASCII
 * minus. The decimal sign stays the page's, which is that of its reader's spreadsheet.
 * @param {string} text
 * @returns {string | null} empty for an unknown number, null for text that is no number
 */
export function plainNumber(text) {
  const value = text.replace("%", "").trim();
  if (value === UNKNOWN) return "";
  const digits = value.replaceAll(GROUP, "").replace(MINUS, "-");
  return Number.isNaN(Number(digits.replace(DECIMAL, ".") || NaN)) ? null : digits;
}
