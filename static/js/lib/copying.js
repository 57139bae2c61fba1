import { announce } from "./dom.js";
import { gettext } from "./i18n.js";

/**
 * @param {string} text
 * @param {Node} node
 * @param {string} selected what to say where it can only be copied by hand
 */
export async function copyText(text, node, selected) {
  try {
    await navigator.clipboard.writeText(text);
    announce(gettext("Copied."));
  } catch {
    // Not allowed here: mark it.
    getSelection()?.selectAllChildren(node);
    announce(selected);
  }
}
