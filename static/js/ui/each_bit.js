import { el, svg } from "../lib/dom.js";
import { formatNumber, interpolate } from "../lib/i18n.js";
import { crowd, figure, table } from "./frequencies.js";
import { wheel } from "./wheel.js";

// Explanations of what chance does with one bit of a report whose bits are all drawn alike, each by itself.

// A cell of the picture, in units that are pixels where there is room.
const CELL = 12;

/**
 * The words for one bit: first for one that the true answer sets, then for one that it leaves clear. The numbers of a
 * text are `people` or `names`, whichever it counts, with `kept` and `raised` of them.
 * @typedef {{
 *   all: string,
 *   pictures: [string, string],
 *   caption: string,
 *   head: [string, string, string],
 *   rows: [string, string],
 *   wheels: [string, string],
 *   legend: string,
 * }} BitWords
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
export function eachBit({ all, pictures, caption, head, rows, wheels, legend }) {
  /**
   * Figures of a set and of a clear bit.
   * @param {Question} _question
   * @param {AnyDevice} device
   */
  function arrays(_question, device) {
    const numbers = counted(device);
    const figures = [numbers.kept, numbers.raised].map((sent, v) =>
      figure([sent, numbers.people - sent], interpolate(pictures[v], numbers)),
    );
    return el("div", {}, el("p", {}, all), el("div", { class: "arrays" }, ...figures));
  }

  /**
   * The outcomes of one bit, before any answer is given.
   * @param {Question} _question
   * @param {AnyDevice} device
   */
  function outcomes(_question, device) {
    const numbers = counted(device);
    const cells = [numbers.kept, numbers.raised].map((sent, v) => [rows[v], ...[sent, numbers.people - sent].map(formatNumber)]);
    return table({ caption: interpolate(caption, numbers), head, rows: cells });
  }

  /**
   * The wheels of one bit, the same whatever the answer is.
   * @param {AnyDevice} device
   * @returns {Disc}
   */
  function chance(device) {
    const drawn = wheels.map((name, v) =>
      el("figure", {}, wheel(bitTable(device), v).node, el("figcaption", { class: "small" }, name)),
    );
    const text = el("p", { class: "small quiet" }, legend);
    return { node: el("div", { class: "each-bit" }, el("div", { class: "each-bit__wheels" }, ...drawn), text), spin: async () => {} };
  }

  return { arrays, outcomes, chance };
}
