/** Writes into the form again what was typed before a session had ended; nothing is sent. */

import { findAll, seek } from "../lib/find.js";

/**
 * Fields that chose a file stay empty: no page may fill them.
 * @param {Document} root
 * @param {HTMLFormElement} form
 */
export function fillKept(root, form) {
  const kept = seek(root, "#kept-fields", HTMLScriptElement);
  if (!kept) return;
  /** @type {Record<string, string[]>} */
  const fields = JSON.parse(kept.textContent);
  for (const field of findAll(form, "input, select, textarea", HTMLElement)) fill(field, fields);
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * @param {HTMLElement} field
 * @param {Record<string, string[]>} fields
 */
function fill(field, fields) {
  if (field instanceof HTMLInputElement) {
    if (["hidden", "file", "submit"].includes(field.type)) return;
    const texts = fields[field.name] ?? [];
    if (["checkbox", "radio"].includes(field.type)) field.checked = texts.includes(field.value);
    else if (texts.length > 0) field.value = texts[0];
  } else if (field instanceof HTMLTextAreaElement) {
    field.value = fields[field.name]?.[0] ?? field.value;
  } else if (field instanceof HTMLSelectElement) {
    const texts = fields[field.name];
    for (const option of texts ? field.options : []) option.selected = texts.includes(option.value);
  }
}
