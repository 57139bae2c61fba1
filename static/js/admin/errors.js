/** The list of errors of a refused form: the page moves to the first, and each link to its error. */

import { around, find, findAll, seek } from "../lib/find.js";

const CONTROLS = "input, select, textarea, button, summary, a[href]";

/** @param {Document} root */
export function startErrors(root) {
  const list = seek(root, "[data-errors]", HTMLElement);
  if (!list) return;
  list.addEventListener("click", (event) => {
    const link = around(event.target, "a", HTMLAnchorElement);
    if (!link) return;
    event.preventDefault();
    goTo(targetOf(link) ?? list);
  });
  // Before `load`, Select2 and late styles still move the page.
  if (document.readyState === "complete") arrive(list);
  else window.addEventListener("load", () => arrive(list), { once: true });
}

/** @param {HTMLElement} list */
function arrive(list) {
  const first = find(list, "li", HTMLElement);
  // The focus is not taken from somebody who has begun to type.
  if (document.activeElement === document.body) goTo(targetOf(seek(first, "a", HTMLAnchorElement)) ?? list);
  const title = find(list, "h2", HTMLElement).textContent;
  find(list, "[data-errors-status]", HTMLElement).textContent = `${title}. ${first.textContent.trim()}`;
}

/** @param {HTMLAnchorElement | null} link */
const targetOf = (link) => link && document.getElementById(link.hash.slice(1));

/** @param {HTMLElement} target */
function goTo(target) {
  openAround(target);
  const control = controlOf(target);
  // The label and the error stand above the control.
  (control.closest(".entry, .form-row") ?? control).scrollIntoView();
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: "nearest" });
}

/** @param {HTMLElement} node */
function openAround(node) {
  for (let box = node.closest("details"); box; box = box.parentElement?.closest("details") ?? null) box.open = true;
}

/**
 * The target itself, or a substitute where it is invisible or cannot take the focus.
 * @param {HTMLElement} target
 */
function controlOf(target) {
  if (target.matches(CONTROLS) && isVisible(target)) return target;
  const group = target.closest("fieldset, .form-row, [data-question]") ?? target;
  const control = target.matches(CONTROLS) && findAll(group, CONTROLS, HTMLElement).find(isVisible);
  if (control) return control;
  target.tabIndex = -1;
  return target;
}

/**
 * Select2 leaves the list that it replaces on the page, as a single pixel.
 * @param {HTMLElement} node
 */
const isVisible = (node) => node.getClientRects().length > 0 && node.offsetWidth > 1;
