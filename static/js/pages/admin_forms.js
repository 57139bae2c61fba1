/** Forms that are sent once, and buttons that copy. */

import { find, findAll, seek } from "../lib/find.js";

/**
 * Ignores a second click on a button that changes something, until the browser restores the page from
 * its cache or somebody has chosen to stay.
 * @param {Document} root
 */
export function sendOnce(root) {
  const forms = findAll(root, "form[data-once]", HTMLFormElement);
  for (const form of forms) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "yes";
    });
  }
  for (const name of ["pageshow", "stayed"]) {
    window.addEventListener(name, () => forms.forEach((form) => delete form.dataset.sent));
  }
}

/**
 * Each button copies the field beside it, or selects it where the browser forbids copying.
 * @param {Document} root
 */
export function copyButtons(root) {
  for (const button of findAll(root, "[data-copy-button]", HTMLButtonElement)) {
    const field = fieldToCopy(button.parentElement ?? root);
    field.addEventListener("focus", () => field.select());
    button.addEventListener("click", () => copy(field, button));
  }
}

/**
 * @param {ParentNode} parent
 * @returns {HTMLInputElement | HTMLTextAreaElement}
 */
const fieldToCopy = (parent) =>
  seek(parent, "input[data-copy]", HTMLInputElement) ?? find(parent, "textarea[data-copy]", HTMLTextAreaElement);

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {HTMLButtonElement} button
 */
async function copy(field, button) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.focus();
    return;
  }
  const label = button.textContent;
  button.textContent = button.dataset.done ?? label;
  setTimeout(() => (button.textContent = label), 2000);
}
