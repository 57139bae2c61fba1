/** Small help for plain forms. */

/**
 * A second click on a button that changes something is not sent. The page comes back as it was
 * when the browser restores it from its memory, and when somebody was asked and has stayed.
 * @param {Document} root
 */
export function sendOnce(root) {
  const forms = [...root.querySelectorAll("form[data-once]")];
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
  for (const button of root.querySelectorAll("[data-copy-button]")) {
    const field = button.parentElement.querySelector("[data-copy]");
    field.addEventListener("focus", () => field.select());
    button.addEventListener("click", () => copy(field, button));
  }
}

async function copy(field, button) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.focus();
    return;
  }
  const label = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = label), 2000);
}
