/**
 * Brings a page up to date with a newer rendering of itself: only the parts marked `data-live`
 * change, so that focus, open details and scroll positions stay.
 */

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
    if (part.innerHTML !== next.innerHTML) part.replaceChildren(...document.importNode(next, true).childNodes);
  }
  return true;
}

/** Replace everything inside `root`, and put the focus back to where it was if that still exists. */
export function replaceAll(root, newer) {
  const focused = root.contains(document.activeElement) ? document.activeElement.id : "";
  root.replaceChildren(...document.importNode(newer, true).childNodes);
  if (focused) document.getElementById(focused)?.focus();
}

function byName(root) {
  return new Map([...root.querySelectorAll("[data-live]")].map((part) => [part.dataset.live, part]));
}
