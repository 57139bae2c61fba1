import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { answersOf } from "./frequencies.js";

// Words for devices with codes that identify an answer, as a delta allows.

/**
 * How often codes are sent that only one answer can send; null where there are none.
 * @param {Question} question
 * @param {Device} device
 */
export function identifyingReports(question, device) {
  const answers = answersOf(question, device);
  const lines = device.columns.flatMap((column, v) => {
    const others = device.columns.filter((other) => other !== column);
    const unique = column.filter((_, u) => others.every((other) => other[u] === 0));
    const share = unique.reduce((sum, entry) => sum + entry, 0) / device.denominator;
    if (share === 0) return [];
    const people = [1000, 10_000, 100_000].find((n) => share * n >= 2) ?? 1_000_000;
    const values = { people, answer: answers[v], count: Math.ceil(share * people) };
    const text = gettext(
      "Of %(people)s people who mean “%(answer)s”, %(count)s send a letter that only they can send.",
    );
    return [interpolate(text, values)];
  });
  return lines.length > 0 ? el("p", { class: "notice notice--chance" }, lines.join(" ")) : null;
}

/** @param {number} level of the survey's weakest question */
export const noProof = (level) =>
  level < 1
    ? gettext("No letter proves an answer, unless its question says so.")
    : gettext("Where only one answer can send a letter, its question says so.");

/**
 * @returns {QuizHelp}
 */
export const help = () => ({
  same: gettext("Right. Where only one answer can send a letter, the question says so."),
  right: gettext("Right, except where a rare letter shows it. The question says so."),
  wrong: gettext(
    "Only where a rare letter shows it: your answer is scrambled on your device, and only the letter travels. Choose once more.",
  ),
});
