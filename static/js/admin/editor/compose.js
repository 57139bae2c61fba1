/** Menus that write a comparison of an earlier question into a field, which can be typed into as well. */

import { find, findAll, seek } from "../../lib/find.js";

/** @param {HTMLFormElement} form */
export function startComposing(form) {
  for (const menus of findAll(form, "[data-compose]", HTMLElement)) start(form, menus);
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} menus
 */
function start(form, menus) {
  const field = find(form, `[name="${menus.dataset.compose}"]`, HTMLInputElement);
  const question = find(menus, "[data-compose-question]", HTMLSelectElement);
  const status = find(menus, "[data-compose-status]", HTMLElement);
  const comparisons = findAll(menus, "[data-compose-of]", HTMLElement);
  const chosen = () => comparisons.find(({ dataset }) => dataset.composeOf === question.value);
  const show = () => {
    for (const each of comparisons) each.hidden = each !== chosen();
    const isFirst = !field.value.trim();
    for (const button of findAll(menus, "[data-compose-add]", HTMLButtonElement)) {
      if (button.dataset.composeAdd === "or") button.hidden = isFirst;
      else button.textContent = (isFirst ? button.dataset.first : button.dataset.more) ?? "";
    }
    find(menus, "[data-compose-clear]", HTMLButtonElement).hidden = isFirst;
  };
  /** @param {string} text */
  const write = (text) => {
    field.value = text;
    // What it means now is said where it stands in words, once it is saved.
    status.textContent = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    show();
  };
  question.addEventListener("change", show);
  field.addEventListener("input", show);
  menus.addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    if ("composeClear" in target.dataset) {
      write("");
      question.focus();
      return;
    }
    const comparison = chosen();
    const text = comparison && written(question.value, comparison);
    if (!text) {
      status.textContent = status.dataset.missing ?? "";
      comparison && seek(comparison, "input", HTMLInputElement)?.focus();
      return;
    }
    const joint = target.dataset.composeAdd === "or" ? menus.dataset.or : menus.dataset.and;
    write([field.value.trim(), text].filter(Boolean).join(` ${joint} `));
    for (const input of findAll(comparison, "input", HTMLInputElement)) {
      if (input.type === "checkbox") input.checked = false;
      else input.value = "";
    }
  });
  // Enter would send the form.
  menus.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    find(menus, "[data-compose-add=and]", HTMLButtonElement).click();
  });
  menus.hidden = false;
  show();
}

/**
 * @param {string} name of the question
 * @param {HTMLElement} comparison
 * @returns {string} as the field has it; empty where nothing is chosen
 */
function written(name, comparison) {
  const sign = find(comparison, "[data-compose-sign]", HTMLSelectElement).value;
  const inputs = findAll(comparison, "input", HTMLInputElement);
  const values = inputs.filter((input) => input.type !== "checkbox" || input.checked).map((input) => input.value.trim());
  const answers = values.filter(Boolean).join(" | ");
  return answers && `${name} ${sign} ${answers}`;
}
