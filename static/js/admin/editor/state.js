/** Whether the draft is saved, in words that are always in sight. */

import { find, seek } from "../../lib/find.js";

/** @typedef {"" | "saving" | "saved" | "unfinished" | "offline" | "out" | "gone"} State */

/** What the forms say. @type {State} */
let last = "";
/** Whether something that no form holds has not reached the server: a move. */
let isHeld = false;

/** @param {State} name */
export function showState(name) {
  last = name;
  show(isHeld && (name === "saved" || name === "unfinished") ? "offline" : name);
}

/** Nothing is called saved until what has failed is sent. @param {boolean} isUnsent */
export function holdState(isUnsent) {
  if (isUnsent === isHeld) return;
  isHeld = isUnsent;
  show(isUnsent ? "offline" : last || "saved");
}

/** @param {State} name */
function show(name) {
  const line = seek(document, "[data-save-state]", HTMLElement);
  if (line) {
    const text = name ? (line.dataset[name] ?? "") : "";
    if (line.textContent !== text) line.textContent = text;
    line.dataset.state = name;
  }
  if (name === "out") find(document, "[data-signed-out]", HTMLElement).hidden = false;
}

/**
 * The sign-in follows what the browser sends by itself, so what is typed is kept and shown again.
 * @param {() => HTMLFormElement | null} unsaved the form to be shown again
 */
export function startSignIn(unsaved) {
  const button = seek(document, "[data-sign-in]", HTMLButtonElement);
  button?.addEventListener("click", async () => {
    const form = unsaved();
    if (!form) {
      location.reload();
      return;
    }
    form.dataset.native = "yes";
    form.requestSubmit();
  });
}
