/** Lines are moved by their grip: dragged, or with the arrow keys. */

import { around, find, findAll } from "../../lib/find.js";

const KEY_PAUSE_MS = 600;

/**
 * @param {HTMLElement} root
 * @param {(line: HTMLElement, after: string) => void} moved with the key of the line before it
 */
export function moveByGrip(root, moved) {
  const list = find(root, "[data-lines]", HTMLElement);
  let timer = 0;
  root.addEventListener("keydown", (event) => {
    const grip = around(event.target, "[data-grip]", HTMLElement);
    const line = around(grip, "[data-question]", HTMLElement);
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!grip || !line || !step) return;
    event.preventDefault();
    const other = step < 0 ? line.previousElementSibling : line.nextElementSibling;
    if (!other) return;
    if (step < 0) other.before(line);
    else other.after(line);
    grip.focus();
    line.scrollIntoView({ block: "nearest" });
    clearTimeout(timer);
    timer = setTimeout(() => moved(line, before(line)), KEY_PAUSE_MS);
  });
  root.addEventListener("pointerdown", (event) => {
    const grip = around(event.target, "[data-grip]", HTMLElement);
    const line = around(grip, "[data-question]", HTMLElement);
    if (grip && line && event.button === 0) drag(list, line, grip, event.pointerId, moved);
  });
}

/** @param {HTMLElement} line @returns {string} the key of the question before it; empty for the first */
const before = (line) => /** @type {HTMLElement | null} */ (line.previousElementSibling)?.dataset.question ?? "";

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} line
 * @param {HTMLElement} grip
 * @param {number} pointer
 * @param {(line: HTMLElement, after: string) => void} moved
 */
function drag(list, line, grip, pointer, moved) {
  const start = before(line);
  grip.setPointerCapture(pointer);
  line.classList.add("line--dragged");
  /** @param {PointerEvent} event */
  const follow = ({ clientY }) => {
    const others = findAll(list, ":scope > [data-question]", HTMLElement).filter((other) => other !== line);
    const next = others.find((other) => {
      const { top, height } = other.getBoundingClientRect();
      return clientY < top + height / 2;
    });
    if (next) {
      if (next.previousElementSibling !== line) next.before(line);
    } else if (list.lastElementChild !== line) list.append(line);
  };
  const end = () => {
    grip.removeEventListener("pointermove", follow);
    line.classList.remove("line--dragged");
    if (before(line) !== start) moved(line, before(line));
  };
  grip.addEventListener("pointermove", follow);
  for (const name of ["pointerup", "pointercancel"]) grip.addEventListener(name, end, { once: true });
}
