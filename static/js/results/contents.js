/** Finding one of many results: by words, by what it is, and with the sentences alone. */

import { find, findAll } from "../lib/find.js";

/**
 * Shows what has the words and is of the kind, in the summary and below.
 * @param {HTMLElement} root
 */
export function filterContents(root) {
  const field = root.querySelector("#find");
  const kinds = root.querySelector("#kind");
  if (!(field instanceof HTMLInputElement) || !(kinds instanceof HTMLSelectElement)) return;
  const words = field.value.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const everything = words.length === 0 && !kinds.value;
  let found = 0;
  for (const section of findAll(root, "[data-kind]", HTMLElement)) {
    // What is closed at first is alike in most results.
    const read = findAll(section, ".question__title, .finding, .figure", HTMLElement);
    const text = [section.dataset.name, ...read.map((part) => part.textContent)].join(" ").toLocaleLowerCase();
    const fits = everything
      || ((!kinds.value || section.dataset.kind === kinds.value) && words.every((word) => text.includes(word)));
    section.hidden = !fits;
    found += Number(fits);
    const entry = root.querySelector(`[data-entry="${CSS.escape(section.id)}"]`);
    if (entry instanceof HTMLElement) entry.hidden = !fits;
  }
  for (const title of findAll(root, "[data-part-begins]", HTMLElement)) {
    title.hidden = !hasShown(title);
    // Those of the summary have no address.
    for (const link of title.id ? findAll(root, `nav [href="#${CSS.escape(title.id)}"]`, HTMLElement) : []) link.hidden = title.hidden;
  }
  find(root, "#found-none", HTMLElement).hidden = found > 0;
}

/**
 * @param {Element} title of some of the results that follow it
 * @returns {boolean} whether one of them is shown
 */
function hasShown(title) {
  // Between them may stand a text that some have in common.
  const common = "[data-common]";
  const own = title.matches(common) ? "[data-item]" : `.question, [data-entry], ${common}`;
  for (let next = title.nextElementSibling; next?.matches(own); next = next.nextElementSibling) {
    if (next instanceof HTMLElement && !next.hidden && !next.matches(common)) return true;
  }
  return false;
}

/**
 * Leaves of each result its sentence, or shows all of it again.
 * @param {HTMLElement} root
 * @param {HTMLButtonElement} button
 */
export function toggleBrief(root, button) {
  const brief = root.classList.toggle("results--brief");
  button.setAttribute("aria-pressed", String(brief));
}

/**
 * Opens what an address points into, because a browser opens only what is around its target.
 * @param {HTMLElement} root
 */
export function openTarget(root) {
  const target = root.querySelector(":target");
  if (!target) return;
  for (let part = target.closest("details"); part; part = part.parentElement?.closest("details") ?? null) part.open = true;
  target.scrollIntoView();
}
