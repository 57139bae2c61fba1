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
      "Of %(people)s people whose real answer is “%(answer)s”, %(count)s send a code that only they can send.",
    );
    return [interpolate(text, values)];
  });
  return lines.length > 0 ? el("p", { class: "notice notice--chance" }, lines.join(" ")) : null;
}

/** @param {number} level of the survey's weakest question */
export const noProof = (level) =>
  level < 1
    ? gettext("No code of this question proves anything. Where another question has a code that does, it says so.")
    : gettext("Where a question has a code that only one answer can send, it says so.");

/**
 * @returns {QuizHelp}
 */
export const help = () => ({
  same: gettext("Right. Where only one answer can send a code, the question says so."),
  right: gettext("Right, except where a rare code shows it; the question says so."),
  wrong: gettext(
    "Only where a rare code shows it: your answer is scrambled here, on your device, and only the code travels. Choose once more.",
  ),
});
