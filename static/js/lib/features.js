import { later } from "./grouped.js";

/**
 * Loads a module of a feature, which the page names where it may be needed.
 * @param {string} feature
 * @param {"rules" | "door" | "page"} role
 * @returns {Promise<any> | undefined} nothing where the feature has no such module
 */
export function lateFeature(feature, role) {
  const name = `features/${feature}/${role}`;
  /** @type {HTMLLinkElement | null} */
  const link = document.querySelector(`link[data-modules~="${name}"]`);
  return link ? later(link.dataset.group ?? "", name) : undefined;
}
