import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { answersOf } from "./frequencies.js";

// Where a code can prove an answer, as a device with a delta may let it: nothing says that none can.

/**
 * Of a device with codes that only one answer can send: how often it does; for others null.
 * @param {Question} question
 * @param {Device} device
 */
export function identifyingReports(question, device) {
  const answers = answersOf(question, device);
  const lines = device.columns.flatMap((column, v) => {
    const others = device.columns.filter((other) => other !== column);
    const alone = column.filter((_, u) => others.every((other) => other[u] === 0));
    const share = alone.reduce((sum, entry) => sum + entry, 0) / device.denominator;
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

export const nothing = () =>
  gettext(
    "No code of this question proves anything. Where another question has a code that does, it says so.",
  );

/**
 * How the two quick questions help.
 * @returns {QuizHelp}
 */
export const help = () => ({
  same: gettext("Right. Where only one answer can send a code, the question says so."),
  right: gettext("Right, except where a rare code shows it; the question says so."),
  wrong: gettext(
    "Only where a rare code shows it: your answer is scrambled here, on your device, and only the code travels. Choose once more.",
  ),
});
