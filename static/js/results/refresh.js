/**
 * Brings a page up to date with a newer rendering of itself: only the parts marked `data-live`
 * change, so that focus, open details and scroll positions stay.
 */

import { findAll } from "../lib/find.js";

/**
 * @param {ParentNode} page
 * @param {ParentNode} newer
 * @returns {boolean} whether the parts matched; false when the page has a new shape
 */
export function refreshParts(page, newer) {
  const parts = byName(page);
  const fresh = byName(newer);
  if (parts.size !== fresh.size || [...parts.keys()].some((name) => !fresh.has(name))) return false;
  for (const [name, part] of parts) {
    const next = fresh.get(name);
    if (next && part.innerHTML !== next.innerHTML) part.replaceChildren(...document.importNode(next, true).childNodes);
  }
  return true;
}

/**
 * Replace everything inside `root`, and put the focus back to where it was if that still exists.
 * @param {Element} root
 * @param {Element} newer
 */
export function replaceAll(root, newer) {
  const active = document.activeElement;
  const focused = active && root.contains(active) ? active.id : "";
  root.replaceChildren(...document.importNode(newer, true).childNodes);
  if (focused) document.getElementById(focused)?.focus();
}

/** @param {ParentNode} root */
function byName(root) {
  return new Map(findAll(root, "[data-live]", HTMLElement).map((part) => [part.dataset.live, part]));
}
