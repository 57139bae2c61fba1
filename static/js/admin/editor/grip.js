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
    line.dataset.moving = "yes";
    line.scrollIntoView({ block: "nearest" });
    clearTimeout(timer);
    timer = setTimeout(() => {
      delete line.dataset.moving;
      moved(line, before(line));
    }, KEY_PAUSE_MS);
  });
  root.addEventListener("pointerdown", (event) => {
    const grip = around(event.target, "[data-grip]", HTMLElement);
    const line = around(grip, "[data-question]", HTMLElement);
    if (grip && line && event.button === 0) drag(list, line, event.pointerId, moved);
  });
}

/** @param {HTMLElement} line @returns {string} the key of the question before it; empty for the first */
const before = (line) => /** @type {HTMLElement | null} */ (line.previousElementSibling)?.dataset.question ?? "";

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} line
 * @param {number} pointer
 * @param {(line: HTMLElement, after: string) => void} moved
 */
function drag(list, line, pointer, moved) {
  const start = before(line);
  // The list stays where it is; what is moved in the document loses the pointer.
  list.setPointerCapture(pointer);
  line.classList.add("line--dragged");
  line.dataset.moving = "yes";
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
  const listening = new AbortController();
  const end = () => {
    listening.abort();
    line.classList.remove("line--dragged");
    delete line.dataset.moving;
    if (before(line) !== start) moved(line, before(line));
  };
  list.addEventListener("pointermove", follow, { signal: listening.signal });
  for (const name of ["pointerup", "pointercancel"]) list.addEventListener(name, end, { signal: listening.signal });
}
