import { el, svg } from "../lib/dom.js";
import { formatList, formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { marksOf } from "../rr/bloom.js";
import { crowd, figure } from "./frequencies.js";

// A short text: a pattern of marked places before chance, and the one that is sent after it.

const NARROW = [
  [128, 16],
  [1024, 32],
];
const WIDE = 64;
const CELL = 10;
const FEW = 12;

export const words = {
  act: gettext("Scramble"),
  missing: gettext("Press “Scramble” before you go on."),
  once: gettext("A text is scrambled once. Scrambling again and again would wear your protection down."),
  noProof: gettext("No pattern proves an answer."),
  same: gettext("Can people with different texts send the same pattern?"),
};

/** @param {string} name */
export const nameOf = (name) => name;

/**
 * A report in words.
 * @param {FilterReport} report
 */
export const letter = ([, filter]) =>
  interpolate(gettext("a pattern with %(marked)s of %(bits)s places marked"), {
    marked: markedIn(filter).length,
    bits: filter.length,
  });

/**
 * Turns what was typed into the marks of a draw, which gives them once.
 * @param {AnyDevice[]} devices
 * @param {() => Typed[]} takeTyped
 * @returns {Promise<() => Marks[]>}
 */
export async function prepare([device], takeTyped) {
  let marks = await Promise.all(takeTyped().map((typed) => marksOf(tableOf(device), typed)));
  return () => {
    const taken = marks;
    marks = [];
    return taken;
  };
}

/**
 * The numbers of marked and of other places that are sent as marked.
 * @param {AnyDevice} device
 */
function counted(device) {
  const { denominator, one, zero } = tableOf(device);
  const columns = [one, zero].map((entry) => [entry, denominator - entry]);
  const { people, counts } = crowd(/** @type {Device} */ ({ columns, denominator }));
  return { places: people, kept: counts[0][0], raised: counts[1][0] };
}

export const lead = () => gettext("Your text becomes a pattern of marks, and chance changes some of them.");

/**
 * The pattern of no text, and one that chance could make of it.
 * @param {Question} _question
 * @param {AnyDevice} device
 */
export function drawing(_question, device) {
  const { bits, denominator, one, zero } = tableOf(device);
  const count = Math.max(1, Math.round((bits * Math.min(one, zero)) / denominator));
  // Any places: they only have to look like chance.
  const some = Array.from({ length: count }, (_, i) => (i * (37 + 11 * i)) % bits);
  return [el("figure", { class: "pattern" }, pattern(bits, some, "sent"))];
}

/**
 * How a text becomes marks, and what chance does with them.
 * @param {Question} _question
 * @param {AnyDevice} device
 */
export function numbers(_question, device) {
  const { places, kept, raised } = counted(device);
  const of = gettext("Of %(places)s marks of a text, %(kept)s are sent.");
  const others = gettext("Of %(places)s places without a mark, %(raised)s are sent with one.");
  return el(
    "div",
    {},
    el("p", {}, marksText(device)),
    el(
      "div",
      { class: "arrays" },
      figure([kept, places - kept], interpolate(of, { places, kept })),
      figure([raised, places - raised], interpolate(others, { places, raised })),
    ),
  );
}

/** @param {AnyDevice} device */
function marksText(device) {
  const { bits, hashes } = tableOf(device);
  const text =
    hashes === 1
      ? gettext("A text marks one of %(bits)s places. Which one depends on its spelling.")
      : gettext("A text marks %(hashes)s of %(bits)s places. Which ones depends on its spelling.");
  return interpolate(text, { bits, hashes });
}

/**
 * Which places a text marks, before chance; removed with the draw.
 * @param {AnyDevice} device
 * @param {Typed} typed
 * @returns {Disc}
 */
export function chance(device, typed) {
  const { bits } = tableOf(device);
  const caption = el("figcaption", { class: "small" });
  const node = el("figure", { class: "pattern" }, pattern(bits, [], "own"), caption);
  const show = async () => {
    const { positions } = await marksOf(tableOf(device), typed);
    const places = positions.sort((a, b) => a - b);
    node.firstChild?.replaceWith(pattern(bits, places, "own"));
    caption.textContent = ownText(places, bits);
  };
  // Without SHA-256 the draw says what is wrong.
  show().catch(() => {});
  return { node, spin: async () => {} };
}

/**
 * @param {number[]} places
 * @param {number} bits
 */
function ownText(places, bits) {
  const listed = places.length > FEW ? "" : listText(places);
  const text = listed
    ? gettext("Of %(bits)s places this answer marks number %(listed)s. Chance has not decided yet.")
    : gettext("Of %(bits)s places this answer marks %(marked)s. Chance has not decided yet.");
  return interpolate(text, { listed, marked: places.length, bits });
}

/** @param {number[]} places counted from 1 for people */
const listText = (places) => formatList(places.map((place) => formatNumber(place + 1)));

/**
 * @param {Question} _question
 * @param {AnyDevice} _device
 * @param {FilterReport} report
 */
export const result = (_question, _device, report) => el("div", { class: "pattern" }, picture(report));

/**
 * A report as it is sent.
 * @param {FilterReport} report
 */
export const picture = ([, filter]) => pattern(filter.length, markedIn(filter), "sent");

/**
 * @param {Question} _question
 * @param {AnyDevice} device
 * @param {FilterReport} report
 * @returns {Explained}
 */
export function who(_question, device, [cohort, filter]) {
  const { bits, cohorts, denominator, zero } = tableOf(device);
  const every = gettext(
    "Every text can lead to this pattern, some more often than others. Chance alone marks about %(expected)s of %(bits)s places.",
  );
  const group = gettext("The number %(number)s goes with it, one of %(cohorts)s: chance drew it before you wrote anything.");
  const expected = Math.round((bits * zero) / denominator);
  const sentences = [
    interpolate(every, { expected, bits }),
    cohorts > 1 && interpolate(group, { number: cohort, cohorts }),
  ];
  const more = el(
    "details",
    {},
    el("summary", {}, gettext("Which places are marked")),
    el("p", { class: "small places" }, listText(markedIn(filter)) || gettext("None of these")),
  );
  return { text: sentences.filter(Boolean).join(" "), more };
}

/** @param {string} filter */
const markedIn = (filter) => [...filter].flatMap((bit, place) => (bit === "1" ? [place] : []));

/** @param {AnyDevice} device */
const tableOf = ({ table }) => /** @type {BloomTable} */ (table);

/**
 * Squares for marked places and dots for the others, row by row.
 * @param {number} bits
 * @param {number[]} marked
 * @param {"own" | "sent"} look
 */
function pattern(bits, marked, look) {
  const [, columns] = NARROW.find(([most]) => bits <= most) ?? [bits, WIDE];
  const isMarked = new Set(marked);
  /** @type {(place: number, size: number) => string} */
  const square = (place, size) => {
    const margin = (CELL - size) / 2;
    const [x, y] = [place % columns, Math.floor(place / columns)].map((at) => at * CELL + margin);
    return `M${x} ${y}h${size}v${size}h-${size}z`;
  };
  const places = Array.from({ length: bits }, (_, place) => place);
  const rows = Math.ceil(bits / columns);
  const frame = { viewBox: `0 0 ${columns * CELL} ${rows * CELL}`, class: `pattern__places pattern__places--${look}` };
  return svg(
    "svg",
    { ...frame, "aria-hidden": "true" },
    svg("path", { class: "pattern__clear", d: places.filter((x) => !isMarked.has(x)).map((x) => square(x, 2)).join("") }),
    svg("path", { class: "pattern__marked", d: marked.map((x) => square(x, 8)).join("") }),
  );
}
