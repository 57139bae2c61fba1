/** Small help for plain forms. */

import { find, findAll, seek } from "../lib/find.js";

/**
 * A second click on a button that changes something is not sent. The page comes back as it was
 * when the browser restores it from its memory, and when somebody was asked and has stayed.
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
  for (const back of ["pageshow", "stayed"]) {
    window.addEventListener(back, () => forms.forEach((form) => delete form.dataset.sent));
  }
}

/**
 * Each button copies the field beside it, or selects it where the browser forbids copying.
 * @param {Document} root
 */
export function copyButtons(root) {
  for (const button of findAll(root, "[data-copy-button]", HTMLButtonElement)) {
    const field = copied(button.parentElement ?? root);
    field.addEventListener("focus", () => field.select());
    button.addEventListener("click", () => copy(field, button));
  }
}

/**
 * @param {ParentNode} place
 * @returns {HTMLInputElement | HTMLTextAreaElement}
 */
const copied = (place) =>
  seek(place, "input[data-copy]", HTMLInputElement) ?? find(place, "textarea[data-copy]", HTMLTextAreaElement);

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
