import { el, svg } from "../lib/dom.js";
import { interpolate } from "../lib/i18n.js";
import { crowd, figure } from "./frequencies.js";
import { wheel } from "./wheel.js";

// Explanations of what chance does with one bit of a report whose bits are all drawn alike, each by itself.

// A cell of the picture, in units that are pixels where there is room.
const CELL = 12;

/**
 * The words for one bit: first for one that the true answer sets, then for one that it leaves clear. The numbers of a
 * text are `people` or `names`, whichever it counts, with `kept` and `raised` of them.
 * @typedef {{lead: string, pictures: [string, string], wheels: [string, string], legend: string}} BitWords
 */

/**
 * The device of one bit, as that of two answers.
 * @param {AnyDevice} device
 */
function bitTable({ table }) {
  const { denominator, one, zero } = /** @type {BitsTable | TiesTable} */ (table);
  const columns = [one, zero].map((entry) => [entry, denominator - entry]);
  return /** @type {Device} */ ({ columns, denominator, reports: ["1", "0"] });
}

/**
 * How many of so many set bits, and of as many clear ones, are sent as set.
 * @param {AnyDevice} device
 */
export function counted(device) {
  const { people, counts } = crowd(bitTable(device));
  return { people, names: people, kept: counts[0][0], raised: counts[1][0] };
}

/**
 * A square for each bit, large where it is marked.
 * @param {boolean[]} marks
 * @param {number} columns
 * @param {string} look
 */
export function squares(marks, columns, look) {
  /** @type {(wanted: boolean, size: number) => string} */
  const path = (wanted, size) =>
    marks
      .flatMap((mark, place) => {
        const [x, y] = [place % columns, Math.floor(place / columns)].map((at) => at * CELL + (CELL - size) / 2);
        return mark === wanted ? [`M${x} ${y}h${size}v${size}h-${size}z`] : [];
      })
      .join("");
  const [width, height] = [columns, Math.ceil(marks.length / columns)].map((cells) => cells * CELL);
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, width, height, class: look, "aria-hidden": "true" },
    svg("path", { class: "each-bit__marked", d: path(true, 10) }),
    svg("path", { d: path(false, 3) }),
  );
}

/** @param {BitWords} words */
export function eachBit({ lead: words, pictures, wheels, legend }) {
  const lead = () => words;

  /**
   * Figures of a set and of a clear bit, to unfold.
   * @param {Question} _question
   * @param {AnyDevice} device
   */
  function numbers(_question, device) {
    const counts = counted(device);
    const figures = [counts.kept, counts.raised].map((sent, v) =>
      figure([sent, counts.people - sent], interpolate(pictures[v], counts)),
    );
    return el("div", { class: "arrays" }, ...figures);
  }

  /**
   * The wheels of one bit, the same whatever the answer is.
   * @param {Question} _question
   * @param {AnyDevice} device
   */
  const drawing = (_question, device) =>
    wheels.map((name, v) =>
      el("figure", {}, wheel(bitTable(device), v).node, el("figcaption", { class: "small" }, name)),
    );

  /**
   * @param {AnyDevice} device
   * @returns {Disc}
   */
  function chance(device) {
    const drawn = drawing(/** @type {Question} */ ({}), device);
    const text = el("p", { class: "small quiet" }, legend);
    return { node: el("div", { class: "each-bit" }, el("div", { class: "each-bit__wheels" }, ...drawn), text), spin: async () => {} };
  }

  return { lead, drawing, numbers, chance };
}
