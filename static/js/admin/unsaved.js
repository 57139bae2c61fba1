/**
 * Asks before a page with unsent changes is left. The browser words the question, and asks only
 * somebody who has used the page.
 * @param {HTMLFormElement} form
 */
export function askBeforeLeaving(form) {
  // A refused form comes with its unsaved values.
  const refused = form.ownerDocument.querySelector("[data-errors]") !== null;
  const before = contents(form);
  let touched = refused;
  let sending = false;
  for (const event of ["input", "change", "click"]) {
    form.addEventListener(event, () => {
      touched = true;
      sending = false;
    });
  }
  form.addEventListener("submit", () => (sending = true));
  window.addEventListener("pageshow", () => (sending = false));
  window.addEventListener("beforeunload", (event) => {
    if (sending || !touched || (!refused && contents(form) === before)) return;
    event.preventDefault();
    // Runs once somebody has chosen to stay: the forms may be sent again.
    setTimeout(() => window.dispatchEvent(new Event("stayed")));
  });
}

/** @param {HTMLFormElement} form */
const contents = (form) => JSON.stringify([...new FormData(form)]);
