/**
 * The parts of the page that a running search changes. A part with the focus is replaced once the
 * focus is elsewhere.
 */

import { find, seek } from "../lib/find.js";

/** @typedef {(name: string) => void} OnChange */

/** @type {Map<string, string>} */
const waiting = new Map();

/** @param {string} name */
const partOf = (name) => find(document, `[data-live="${name}"]`, HTMLElement);

/**
 * @param {Record<string, string>} parts markup by name
 * @param {OnChange} onChange called for each that has changed
 */
export function showParts(parts, onChange) {
  for (const [name, markup] of Object.entries(parts)) show(name, markup, onChange);
}

/**
 * @param {string} name
 * @param {string} markup
 * @param {OnChange} onChange
 */
function show(name, markup, onChange) {
  const part = partOf(name);
  const fresh = document.createElement("template");
  fresh.innerHTML = markup;
  // Forms carry a new token at every rendering, so their text is compared.
  const forms = fresh.content.querySelector("form") !== null || part.querySelector("form") !== null;
  const same = forms
    ? textOf(part) === textOf(fresh.content)
    : part.innerHTML.trim() === fresh.innerHTML.trim();
  if (same) return;
  const focused = part.contains(document.activeElement);
  if (focused && !forms) {
    postpone(part, name, markup, onChange);
    return;
  }
  part.replaceChildren(...document.importNode(fresh.content, true).childNodes);
  if (focused) seek(part, "button, a", HTMLElement)?.focus();
  onChange(name);
}

/**
 * @param {HTMLElement} part
 * @param {string} name
 * @param {string} markup
 * @param {OnChange} onChange
 */
function postpone(part, name, markup, onChange) {
  const first = !waiting.has(name);
  waiting.set(name, markup);
  if (!first) return;
  part.addEventListener("focusout", () => {
    const latest = waiting.get(name) ?? markup;
    waiting.delete(name);
    setTimeout(() => show(name, latest, onChange));
  }, { once: true });
}

/** @param {Node} root */
const textOf = (root) => (root.textContent ?? "").replace(/\s+/g, " ").trim();
