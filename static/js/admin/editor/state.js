/** Whether the draft is saved, in words that are always in sight. */

import { find, seek } from "../../lib/find.js";

/** @typedef {"" | "saving" | "saved" | "unfinished" | "offline" | "out" | "gone"} State */

/** What the forms say. @type {State} */
let last = "";
/** How a move is under way, which no form holds; empty where none is. @type {State} */
let held = "";

/** @param {State} name */
export function showState(name) {
  last = name;
  show(held && (name === "saved" || name === "unfinished") ? held : name);
}

/** Nothing is called saved until a move has reached the server. @param {"saving" | "offline" | ""} name */
export function holdState(name) {
  held = name;
  show(name || last || "saved");
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
