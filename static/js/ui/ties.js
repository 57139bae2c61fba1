import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { questionLevel, questionLoss } from "../rr/strength.js";
import { eachBit, squares } from "./each_bit.js";

// The names of members: what chance does with one of them, and how many are sent as ticked after it.

export const words = {
  act: gettext("Scramble"),
  missing: gettext("Press “Scramble” before you go on."),
  once: gettext(
    "One press scrambles every name on the list. It works once: more often would wear your protection down.",
  ),
  noProof: gettext("No name in it proves an answer."),
  same: gettext("Can people who tick different names send the same list?"),
};

/** @param {string} name */
export const nameOf = (name) => name;

/**
 * A report in words: how many names, never which.
 * @param {string} report
 */
export const letter = (report) =>
  interpolate(gettext("%(marked)s of %(names)s names as ticked"), { marked: markedIn(report), names: report.length });

/**
 * @param {Question} _question
 * @param {AnyDevice} _device
 * @param {string} report
 */
export const meaning = (_question, _device, report) =>
  interpolate(gettext("The list as it was sent: %(bits)s signs, one for each name, 1 for “as ticked”."), {
    bits: report.length,
  });

export const { lead, drawing, numbers, chance } = eachBit({
  lead: gettext("Chance decides about every name on the list: whether it is sent as ticked or not."),
  pictures: [
    gettext("Of %(names)s names that somebody ticks, %(kept)s are sent as ticked."),
    gettext("Of %(names)s names that nobody ticks, %(raised)s are sent as ticked too."),
  ],
  wheels: [gettext("Each name that you tick"), gettext("Each name that you do not tick")],
  legend: gettext("1: sent as ticked. 0: sent as not ticked."),
});

/**
 * @param {Question} _question
 * @param {AnyDevice} _device
 * @param {string} report
 */
export const result = (_question, _device, report) => el("div", { class: "ties" }, picture(report));

/**
 * How many, not which: those sent as ticked come first.
 * @param {string} report
 */
export function picture(report) {
  const marked = markedIn(report);
  // About twice as wide as high.
  const columns = Math.ceil(Math.sqrt(2 * report.length));
  return squares(Array.from(report, (_, place) => place < marked), columns, "each-bit__picture ties__names");
}

/**
 * @param {Question} _question
 * @param {AnyDevice} device
 * @param {string} report
 * @returns {Explained}
 */
export function who(_question, device, report) {
  const { denominator, zero } = /** @type {TiesTable} */ (device.table);
  const raised = Math.round((report.length * zero) / denominator);
  const text = raised
    ? gettext("Somebody who ticks nobody sends about %(raised)s of %(names)s names as ticked. Of yours, chance may leave some out.")
    : gettext("Somebody who ticks nobody sends hardly any name as ticked. Of yours, chance may leave some out.");
  const noProof = gettext("No single name in it shows whether you ticked it.");
  const isCalm = questionLevel(questionLoss([/** @type {Device} */ (/** @type {unknown} */ (device))])) < 1;
  return { text: `${interpolate(text, { raised, names: report.length })}${isCalm ? ` ${noProof}` : ""}` };
}

/** @param {string} report */
const markedIn = (report) => report.replaceAll("0", "").length;
