/**
 * Words, numbers and lists in the language of the page. The catalogue is a plain script that ran
 * before the modules; without it the English texts stand.
 */

const language = document.documentElement.lang || "en";
const numbers = new Intl.NumberFormat(language);
const lists = new Intl.ListFormat(language, { type: "conjunction" });

/** @param {string} text @returns {string} */
export const gettext = (text) => globalThis.gettext?.(text) ?? text;

/** @param {string} one @param {string} many @param {number} count @returns {string} */
export const ngettext = (one, many, count) =>
  globalThis.ngettext?.(one, many, count) ?? (count === 1 ? one : many);

/**
 * Fills the %(name)s of a text; numbers are written as the language writes them.
 * @param {string} text
 * @param {Record<string, string | number>} values
 * @returns {string}
 */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

/** @param {number} value @returns {string} */
export const formatNumber = (value) => numbers.format(value);

/** @param {string[]} items @returns {string} "a, b and c" */
export const formatList = (items) => lists.format(items);

/** @param {Date} moment @returns {string} in the reader's own time zone */
export const formatMoment = (moment) =>
  new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short" }).format(moment);
