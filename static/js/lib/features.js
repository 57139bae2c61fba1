import { late } from "./late.js";

/**
 * Loads a module of a feature, which the page names by a link of its own.
 * @param {string} feature
 * @param {"rules" | "page"} role
 * @returns {Promise<any> | undefined} nothing where the feature has no such module
 */
export function lateFeature(feature, role) {
  /** @type {HTMLLinkElement | null} */
  const link = document.querySelector(`link[data-module="${feature}/${role}"]`);
  return link ? late(feature, () => import(link.href)) : undefined;
}
