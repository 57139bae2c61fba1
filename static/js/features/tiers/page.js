import { el } from "../../lib/dom.js";
import { formatList, gettext, interpolate } from "../../lib/i18n.js";
import { symbol } from "../../ui/wheel.js";

// Readers of several tiers: of every scrambled answer each of them gets a version of their own. Pictures
// and counts are those of the last version, which is scrambled least.

/**
 * @param {Parts["lookOf"]} lookOf how the last versions are shown
 * @param {WithTiers} parameters
 * @returns {Parts["lookOf"]}
 */
export function looks(lookOf, { tiers }) {
  const names = tiers.map(({ name }) => name);
  return (device) => (device.epsilon === null ? lookOf(device) : tieredLook(lookOf(device), names));
}

/**
 * @param {Look} look
 * @param {string[]} names of the tiers
 * @returns {Look}
 */
function tieredLook(look, names) {
  return {
    ...look,
    lead: (question, device) => `${look.lead(question, device)} ${hintWords(names)}`,
    numbers: (question, device) => el("div", {}, look.numbers(question, device), paragraph(countsWords(names))),
    versions: (devices, reports) => versions(devices, reports, names, look),
  };
}

const TOGETHER = gettext("All versions together reveal no more than the last one.");

/** @param {string} text */
const paragraph = (text) => el("p", { class: "small" }, text);

/** @type {(names: string[]) => string} */
const lastOf = (names) => names[names.length - 1];

/** @param {string[]} names */
function hintWords(names) {
  const text = gettext("%(count)s versions are sent: the most scrambled for “%(first)s”, the least for “%(last)s”.");
  return `${interpolate(text, { count: names.length, first: names[0], last: lastOf(names) })} ${TOGETHER}`;
}

/** @param {string[]} names */
function countsWords(names) {
  const text = gettext("These counts are for the version that “%(reader)s” reads. The others are scrambled more.");
  return interpolate(text, { reader: lastOf(names) });
}

/**
 * The versions of a report that are sent to all tiers.
 * @param {Device[]} devices
 * @param {SentReport[]} reports
 * @param {string[]} names
 * @param {Look} look
 * @returns {Versions}
 */
function versions(devices, reports, names, look) {
  const codes = names.map((_, tier) => reports.map((report) => Number(Array.isArray(report) ? report[tier] : report)));
  const letters = codes.map((row, tier) => row.map((code, i) => devices[i].steps?.[tier].reports[code] ?? ""));
  const words = names.map((reader, tier) =>
    interpolate(gettext("%(letter)s for “%(reader)s”"), { letter: look.nameOf(letters[tier].join(" ")), reader }),
  );
  const rows = names.map((name, tier) => {
    const symbols = codes[tier].map((code, i) => symbol(code, letters[tier][i]));
    return el("li", {}, ...symbols, el("span", {}, `${name}: `, el("b", {}, letters[tier].join(" "))));
  });
  const about = interpolate(gettext("What follows is about the version for “%(reader)s”."), { reader: lastOf(names) });
  const list = el("ul", { class: "codes" }, ...rows);
  const last = codes[codes.length - 1];
  return { codes: last, words: formatList(words), list, note: el("p", {}, `${TOGETHER} ${about}`) };
}
