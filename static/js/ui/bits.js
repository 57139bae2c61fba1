import { el, svg } from "../lib/dom.js";
import { formatList, formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { crowd, figure, table } from "./frequencies.js";
import { wheel } from "./wheel.js";

// A bit for each answer: what chance does with one of them, and which are sent as marked after it.

const MANY = 8;
// Of the picture, in units that are pixels where there is room.
const CELL = 12;

export const words = {
  act: gettext("Scramble"),
  missing: gettext("Press “Scramble” before you go on."),
  once: gettext(
    "One press scrambles every answer on the list by itself, yours and all others. The list is scrambled once: again and again would wear your protection down.",
  ),
  noProof: gettext("No answer that is sent as marked proves anything."),
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

/**
 * What one answer goes through: that of the person, and any other.
 * @param {AnyDevice} device
 */
function answerTable({ table }) {
  const { denominator, one, zero } = /** @type {BitsTable} */ (table);
  const columns = [one, zero].map((entry) => [entry, denominator - entry]);
  return /** @type {Device} */ ({ columns, denominator, reports: ["1", "0"] });
}

/** @param {AnyDevice} device */
function counted(device) {
  const { people, counts } = crowd(answerTable(device));
  return { people, kept: counts[0][0], raised: counts[1][0] };
}

/**
 * @param {Question} _question
 * @param {AnyDevice} device
 */
export function arrays(_question, device) {
  const { people, kept, raised } = counted(device);
  const own = gettext("Of %(people)s people who give an answer, %(kept)s send it as marked.");
  const others = gettext("Of %(people)s people who give another one, %(raised)s send it as marked too.");
  return el(
    "div",
    {},
    el("p", {}, eachText()),
    el(
      "div",
      { class: "arrays" },
      figure([kept, people - kept], interpolate(own, { people, kept })),
      figure([raised, people - raised], interpolate(others, { people, raised })),
    ),
  );
}

const eachText = () =>
  gettext("You mark one answer on a list. Chance then decides about every answer on it, each by itself: about yours and about all others.");

/**
 * What happens to one answer, before any is given.
 * @param {Question} _question
 * @param {AnyDevice} device
 */
export function outcomes(_question, device) {
  const { people, kept, raised } = counted(device);
  const caption = interpolate(gettext("Of %(people)s people, so many send an answer as"), { people });
  const head = [gettext("This answer"), gettext("marked"), gettext("not marked")];
  const rows = [
    [gettext("Is theirs"), ...[kept, people - kept].map(formatNumber)],
    [gettext("Is not theirs"), ...[raised, people - raised].map(formatNumber)],
  ];
  return table({ caption, head, rows });
}

/**
 * The wheels of one answer, the same whichever is given.
 * @param {AnyDevice} device
 * @returns {Disc}
 */
export function chance(device) {
  const names = [gettext("Your answer"), gettext("Each other answer")];
  const wheels = names.map((name, v) =>
    el("figure", {}, wheel(answerTable(device), v).node, el("figcaption", { class: "small" }, name)),
  );
  const legend = el("p", { class: "small quiet" }, gettext("1: sent as marked. 0: sent as not marked."));
  return { node: el("div", { class: "bits" }, el("div", { class: "bits__wheels" }, ...wheels), legend), spin: async () => {} };
}

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
  /** @type {(place: number, size: number) => string} */
  const square = (place, size) => `M${place * CELL + (CELL - size) / 2} ${(CELL - size) / 2}h${size}v${size}h-${size}z`;
  const width = report.length * CELL;
  const [full, small] = ["1", "0"].map((wanted) => [...report].flatMap((bit, place) => (bit === wanted ? [place] : [])));
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${CELL}`, width, height: CELL, class: "bits__row", "aria-hidden": "true" },
    svg("path", { class: "bits__marked", d: full.map((x) => square(x, 10)).join("") }),
    svg("path", { d: small.map((x) => square(x, 3)).join("") }),
  );
}

/**
 * The same words for every true answer.
 * @param {Question} _question
 * @param {AnyDevice} device
 * @returns {Explained}
 */
export function who(_question, device) {
  const text = gettext(
    "Chance decided about every answer by itself: of %(people)s people who give an answer %(kept)s send it as marked, and of %(people)s who give another one %(raised)s send it too.",
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
