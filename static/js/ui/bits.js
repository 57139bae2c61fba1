import { el } from "../lib/dom.js";
import { formatList, gettext, interpolate } from "../lib/i18n.js";
import { counted, eachBit, squares } from "./each_bit.js";

// A bit for each answer: what chance does with one of them, and which are sent as marked after it.

const MANY = 8;

export const words = {
  act: gettext("Scramble"),
  missing: gettext("Press “Scramble” before you go on."),
  once: gettext(
    "One press scrambles every answer on the list. It works once: more often would wear your protection down.",
  ),
  noProof: gettext("No mark proves an answer."),
  same: gettext("Can people with different answers send the same marks?"),
};

/** @param {string} name */
export const nameOf = (name) => name;

/**
 * A report in words.
 * @param {string} report
 */
export const letter = (report) =>
  interpolate(gettext("%(marked)s of %(answers)s answers as marked"), {
    marked: placesIn(report).length,
    answers: report.length,
  });

/**
 * Which answers are sent as marked, for the last screen.
 * @param {Question} question
 * @param {AnyDevice} _device
 * @param {string} report
 */
export const meaning = (question, _device, report) =>
  interpolate(gettext("As marked: %(answers)s"), {
    answers: formatList(marked(question, report)) || gettext("None of these"),
  });

export const { lead, drawing, numbers, chance } = eachBit({
  lead: gettext("Chance decides about every answer on the list: whether it is sent as marked or not."),
  pictures: [
    gettext("Of %(people)s people who give an answer, %(kept)s send it as marked."),
    gettext("Of %(people)s people who give another one, %(raised)s send it as marked too."),
  ],
  wheels: [gettext("Your answer"), gettext("Each other answer")],
  legend: gettext("1: sent as marked. 0: sent as not marked."),
});

/**
 * The answers that are sent as marked.
 * @param {Question} question
 * @param {AnyDevice} _device
 * @param {string} report
 */
export function result(question, _device, report) {
  const names = marked(question, report);
  const items = (names.length ? names : [gettext("None of these")]).map((name) => el("li", {}, name));
  const look = items.length > MANY ? "drawn__answers drawn__answers--many" : "drawn__answers";
  return el("div", { class: "drawn" }, el("p", { class: "drawn__head" }, gettext("Sent as marked")), el("ul", { class: look }, ...items));
}

/**
 * A square for each answer, large where it is sent as marked.
 * @param {string} report
 */
export function picture(report) {
  return squares([...report].map((bit) => bit === "1"), report.length, "each-bit__picture");
}

/**
 * The people who send this report, in the same words for every true answer.
 * @param {Question} _question
 * @param {AnyDevice} device
 * @returns {Explained}
 */
export function who(_question, device) {
  const text = gettext(
    "Of %(people)s people who give an answer, %(kept)s send it as marked. Of %(people)s with another answer, %(raised)s send it too.",
  );
  return { text: interpolate(text, counted(device)) };
}

/**
 * @param {Question} question
 * @param {string} report
 */
const marked = ({ categories }, report) => placesIn(report).map((place) => categories[place]);

/** @param {string} report */
const placesIn = (report) => [...report].flatMap((bit, place) => (bit === "1" ? [place] : []));
