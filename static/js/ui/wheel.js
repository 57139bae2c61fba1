import { svg } from "../lib/dom.js";

// A report is a shape and a letter; no shape has a meaning, as a tick or a cross would.

/** @type {["circle" | "path" | "rect", Properties][]} */
const SHAPES = [
  ["circle", { cx: 0, cy: 0, r: 17 }],
  ["circle", { cx: 0, cy: 0, r: 16 }],
  ["path", { d: "M0-19 20 16H-20Z" }],
  ["rect", { x: -15, y: -15, width: 30, height: 30, rx: 3 }],
  ["path", { d: "M0-20 20 0 0 20-20 0Z" }],
  ["path", { d: "M-18 0-9-16H9L18 0 9 16H-9Z" }],
];

/**
 * @param {number} code
 * @returns {Element} about 40 units wide
 */
export function shape(code) {
  const [tag, geometry] = SHAPES[code % SHAPES.length];
  return svg(tag, { ...geometry, class: code % 2 ? "shape shape--open" : "shape" });
}

/**
 * @param {number} code
 * @param {string} letter
 */
function symbolGroup(code, letter) {
  const below = code % SHAPES.length === 2 ? 11 : 6;
  const look = ["letter", code % 2 && "letter--open", letter.length > 1 && "letter--two"];
  return svg("g", {}, shape(code), svg("text", { y: below, class: look.filter(Boolean).join(" ") }, letter));
}

/**
 * @param {number} code
 * @param {string} letter
 */
export function symbol(code, letter) {
  const drawing = { viewBox: "-22 -22 44 44", class: "symbol", "aria-hidden": "true" };
  return svg("svg", drawing, symbolGroup(code, letter));
}

/**
 * What will be sent, in an open envelope.
 * @param {number} code
 * @param {string} letter
 */
export function envelope(code, letter) {
  const drawing = { viewBox: "-46 -32 92 80", class: "envelope", "aria-hidden": "true" };
  return svg(
    "svg",
    drawing,
    svg("path", { class: "back", d: "M-42 2 0-28 42 2V44H-42Z" }),
    svg("g", { class: "envelope__letter" }, symbolGroup(code, letter)),
    svg("path", { class: "back", d: "M-42 2 0 28 42 2V44H-42Z" }),
  );
}

const RADIUS = 100;
const SPIN_MS = 1100;
const TURNS = 3;
// A sector narrower than this has no room for its mark.
const ROOM = 0.075;

/**
 * One sector a report, as wide as its probability. Sectors show which answer was chosen, so they are
 * removed with the draw.
 * @param {Device} device
 * @param {number} truth
 * @returns {Disc}
 */
export function wheel({ columns, denominator, reports }, truth) {
  const disc = svg("g", { class: "disc" }, ...sectors(columns[truth], denominator, reports));
  const pointer = svg("path", { class: "pointer", d: "M-10-115H10L0-92Z" });
  const hub = svg("circle", { class: "hub", r: 14 });
  const frame = { viewBox: "-116 -116 232 232", class: "wheel", "aria-hidden": "true" };
  const node = svg("svg", frame, disc, hub, pointer);
  return { node, spin: (spot, stop) => turn(pointer, spot, stop) };
}

/**
 * Replaces the wheel, without the width of a sector.
 * @param {Question} _question
 * @param {Device} device
 * @param {number} code
 */
export function result(_question, { reports }, code) {
  return envelope(code, reports[code]);
}

/**
 * @param {number[]} column
 * @param {number} denominator
 * @param {string[]} letters
 */
function sectors(column, denominator, letters) {
  let start = 0;
  return column.flatMap((entry, code) => {
    const share = entry / denominator;
    const from = start;
    start += share;
    if (entry === 0) return [];
    const look = { class: `sector sector--${code % 2}` };
    // An arc from a point to itself is empty.
    const slice =
      entry === denominator
        ? svg("circle", { r: RADIUS, ...look })
        : svg("path", { d: slicePath(from, share), ...look });
    return share < ROOM ? [slice] : [slice, label(code, letters[code], from + share / 2)];
  });
}

/**
 * @param {number} turn of the whole circle
 * @param {number} radius
 */
function point(turn, radius) {
  const angle = 2 * Math.PI * turn;
  return `${(radius * Math.sin(angle)).toFixed(3)} ${(-radius * Math.cos(angle)).toFixed(3)}`;
}

/**
 * @param {number} from
 * @param {number} share
 */
function slicePath(from, share) {
  const wide = share > 0.5 ? 1 : 0;
  const arc = `A${RADIUS} ${RADIUS} 0 ${wide} 1 ${point(from + share, RADIUS)}`;
  return `M0 0L${point(from, RADIUS)}${arc}Z`;
}

/**
 * @param {number} code
 * @param {string} letter
 * @param {number} turn
 */
function label(code, letter, turn) {
  const [x, y] = point(turn, 66).split(" ");
  const group = symbolGroup(code, letter);
  group.setAttribute("transform", `translate(${x} ${y})`);
  return group;
}

/**
 * Turns the pointer, for the same time and number of turns whatever the answer and the report are.
 * @param {Element} pointer
 * @param {number} spot
 * @param {AbortSignal} stop
 */
async function turn(pointer, spot, stop) {
  const end = `rotate(${360 * (TURNS + spot)}deg)`;
  const motion = pointer.animate([{ transform: "rotate(0deg)" }, { transform: end }], {
    duration: SPIN_MS,
    easing: "cubic-bezier(.15,.7,.2,1)",
    fill: "forwards",
  });
  await finishMotions([motion], SPIN_MS, stop);
}

/**
 * @param {Animation[]} motions of one length
 * @param {number} length in milliseconds
 * @param {AbortSignal} stop ends them at once
 */
export async function finishMotions(motions, length, stop) {
  stop.addEventListener("abort", () => motions.forEach((motion) => motion.finish()));
  // A page in the background may not move at all.
  const timeout = new Promise((resolve) => setTimeout(resolve, length + 100));
  await Promise.race([Promise.all(motions.map(({ finished }) => finished)), timeout]);
}
