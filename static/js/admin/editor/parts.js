/** Parts of the page that the server renders anew: only what has changed is replaced. */

import { findAll, seek } from "../../lib/find.js";

/** @param {string} text @returns {Document} */
export const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

/**
 * Takes over each part that both have.
 * @param {ParentNode} page
 * @param {ParentNode} fresh
 */
export function takeParts(page, fresh) {
  for (const part of findAll(fresh, "[data-part]", HTMLElement)) {
    const own = seek(page, `[data-part="${part.dataset.part}"]`, HTMLElement);
    if (own) replaceContents(own, part);
  }
}

/** What was open when it was seen last, also of what is not there for a moment. @type {Map<string | undefined, boolean>} */
const wasOpen = new Map();

/**
 * @param {HTMLElement} own
 * @param {HTMLElement} fresh
 */
export function replaceContents(own, fresh) {
  for (const { dataset, open } of findAll(own, "details[data-keep-open]", HTMLDetailsElement)) wasOpen.set(dataset.keepOpen, open);
  for (const node of findAll(fresh, "details[data-keep-open]", HTMLDetailsElement)) node.open = wasOpen.get(node.dataset.keepOpen) ?? false;
  if (own.innerHTML === fresh.innerHTML) return;
  const focused = own.contains(document.activeElement) ? document.activeElement : null;
  const place = focused ? findAll(own, "a, button, summary, input", HTMLElement).indexOf(/** @type {HTMLElement} */ (focused)) : -1;
  own.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
  if (place >= 0) findAll(own, "a, button, summary, input", HTMLElement)[place]?.focus({ preventScroll: true });
}

/** @param {string} address @returns {Promise<Document | null>} null where there is no answer, or another page */
export async function fetched(address) {
  try {
    const reply = await fetch(address, { headers: { "X-Requested-With": "fetch" } });
    return reply.ok && !reply.redirected ? parsed(await reply.text()) : null;
  } catch {
    return null;
  }
}
