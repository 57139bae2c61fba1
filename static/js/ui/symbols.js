import { svg } from "../lib/dom.js";

/**
 * What a report looks like: a shape and its letter, all in the colour of chance. No shape is a
 * tick or a cross, and none says which answer it stands for.
 */

const SHAPES = [
  ["circle", { cx: 0, cy: 0, r: 17 }],
  ["circle", { cx: 0, cy: 0, r: 16 }],
  ["path", { d: "M0-19 20 16H-20Z" }],
  ["rect", { x: -15, y: -15, width: 30, height: 30, rx: 3 }],
  ["path", { d: "M0-20 20 0 0 20-20 0Z" }],
  ["path", { d: "M-18 0-9-16H9L18 0 9 16H-9Z" }],
];

/** @param {number} code @returns {SVGElement} the bare shape around (0, 0), about 40 units wide */
export function shape(code) {
  const [tag, geometry] = SHAPES[code % SHAPES.length];
  return svg(tag, { ...geometry, class: code % 2 ? "shape shape--open" : "shape" });
}

/**
 * @param {number} code
 * @param {string} letter
 * @returns {SVGElement} a group, to be placed in a drawing
 */
export function mark(code, letter) {
  const below = code % SHAPES.length === 2 ? 11 : 6;
  const look = `${code % 2 ? "letter letter--open" : "letter"}${letter.length > 1 ? " letter--two" : ""}`;
  return svg("g", {}, shape(code), svg("text", { y: below, class: look }, letter));
}

/** @param {number} code @param {string} letter @param {string} [look] @returns {SVGElement} */
export function symbol(code, letter, look = "") {
  const drawing = { viewBox: "-22 -22 44 44", class: `symbol ${look}`.trim(), "aria-hidden": "true" };
  return svg("svg", drawing, mark(code, letter));
}
