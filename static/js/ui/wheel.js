import { svg } from "../lib/dom.js";
import { mark, symbol } from "./symbols.js";

/**
 * The visible device: one sector a report, as wide as its probability, turned to where the real
 * draw fell. Its sectors show the chosen answer, so they go as soon as the result is known.
 */

const RADIUS = 100;
const SPIN_MS = 1100;
const TURNS = 3;
// A sector narrower than this has no room for its mark.
const ROOM = 0.075;

/**
 * @param {number[]} column integers of the chosen answer
 * @param {number} denominator
 * @param {string[]} letters
 * @returns {{node: SVGElement, spin: (spot: number, stop: AbortSignal) => Promise<void>}}
 */
export function wheel(column, denominator, letters) {
  const disc = svg("g", { class: "disc" }, ...sectors(column, denominator, letters));
  const pointer = svg("path", { class: "pointer", d: "M-9-113H9L0-94Z" });
  const hub = svg("circle", { class: "hub", r: 14 });
  const frame = { viewBox: "-116 -116 232 232", class: "wheel", "aria-hidden": "true" };
  const node = svg("svg", frame, disc, hub, pointer);
  return { node, spin: (spot, stop) => turn(disc, spot, stop) };
}

/** What stands where the wheel stood: the result, and nothing of how wide its sector was. */
export function landed(code, letter) {
  return symbol(code, letter, "symbol--large");
}

function sectors(column, denominator, letters) {
  let start = 0;
  return column.flatMap((entry, code) => {
    const share = entry / denominator;
    const from = start;
    start += share;
    if (entry === 0) return [];
    const slice = svg("path", { d: slicePath(from, share), class: `sector sector--${code % 2}` });
    return share < ROOM ? [slice] : [slice, label(code, letters[code], from + share / 2)];
  });
}

function point(turn, radius) {
  const angle = 2 * Math.PI * turn;
  return `${(radius * Math.sin(angle)).toFixed(3)} ${(-radius * Math.cos(angle)).toFixed(3)}`;
}

function slicePath(from, share) {
  const wide = share > 0.5 ? 1 : 0;
  const arc = `A${RADIUS} ${RADIUS} 0 ${wide} 1 ${point(from + share, RADIUS)}`;
  return `M0 0L${point(from, RADIUS)}${arc}Z`;
}

function label(code, letter, turn) {
  const [x, y] = point(turn, 66).split(" ");
  const group = mark(code, letter);
  group.setAttribute("transform", `translate(${x} ${y}) rotate(${(360 * turn).toFixed(2)})`);
  return group;
}

// Always the same time and the same number of turns, whatever was chosen and drawn.
async function turn(disc, spot, stop) {
  const end = `rotate(${-360 * (TURNS + spot)}deg)`;
  const motion = disc.animate([{ transform: "rotate(0deg)" }, { transform: end }], {
    duration: SPIN_MS,
    easing: "cubic-bezier(.15,.7,.2,1)",
    fill: "forwards",
  });
  stop.addEventListener("abort", () => motion.finish());
  // A page in the background may not move at all; the result must not wait for it.
  const late = new Promise((resolve) => setTimeout(resolve, SPIN_MS + 100));
  await Promise.race([motion.finished, late]);
}
