// A catalogue is a plain script that ran before the modules, or comes with a group of them; without it English stands.

const language = document.documentElement.lang || "en";
const numbers = new Intl.NumberFormat(language);
const lists = new Intl.ListFormat(language, { type: "conjunction" });

/** @type {(text: string) => string} */
export const gettext = (text) => globalThis.gettext?.(text) ?? text;

/**
 * @param {string} text with a %(name)s for each value
 * @param {Record<string, string | number>} values
 */
export function interpolate(text, values) {
  return text.replace(/%\((\w+)\)s/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

/** @param {number} value */
export const formatNumber = (value) => numbers.format(value);

/**
 * "a, b and c"
 * @param {string[]} items
 */
export const formatList = (items) => lists.format(items);
