/** What has changed on a page that stayed open, in words. */

import { findAll } from "../lib/find.js";

/**
 * @param {ParentNode} root
 * @returns {Map<string, string>} each estimate by the place it has
 */
export function numbersOf(root) {
  const found = new Map();
  for (const table of findAll(root, ".figure", HTMLElement)) {
    findAll(table, ".estimate", HTMLElement).forEach((cell, place) => found.set(`${table.id}-${place}`, cell.textContent));
  }
  const people = root.querySelector("[data-responses]");
  if (people instanceof HTMLElement) found.set("people", people.dataset.responses);
  return found;
}

/**
 * @param {string} words with {people}, {changed} and {all} in it
 * @param {Map<string, string>} before
 * @param {Map<string, string>} after
 * @returns {string}
 */
export function changesText(words, before, after) {
  const all = [...after.keys()].filter((key) => key !== "people");
  const changed = all.filter((key) => after.get(key) !== before.get(key));
  const more = Number(after.get("people") ?? 0) - Number(before.get("people") ?? 0);
  const values = { people: String(more), changed: String(changed.length), all: String(all.length) };
  return words.replace(/\{(people|changed|all)\}/g, (_text, /** @type {keyof typeof values} */ name) => values[name]);
}
