/**
 * Asks before a page is left whose form holds something that was not sent. The browser words the
 * question, and asks nobody who has not touched the page.
 * @param {HTMLFormElement} form
 */
export function askBeforeLeaving(form) {
  // What was refused is not saved, although the page came with it.
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
    // Runs once somebody has chosen to stay: a button that would have left can be pressed again.
    setTimeout(() => window.dispatchEvent(new Event("stayed")));
  });
}

/** @param {HTMLFormElement} form */
const contents = (form) => JSON.stringify([...new FormData(form)]);
