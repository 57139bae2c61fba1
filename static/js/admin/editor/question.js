/** The open question: which of its fields are for its kind, its strength, its devices. */

import { around, find, findAll, seek } from "../../lib/find.js";
import { startComposing } from "./compose.js";

/** @param {HTMLFormElement} form */
export function startQuestion(form) {
  form.addEventListener("input", () => show(form));
  form.addEventListener("filled", () => show(form));
  form.addEventListener("click", ({ target }) => {
    const button = around(target, "[data-take]", HTMLButtonElement);
    const radio = button && seek(form, `[name=design][value="${CSS.escape(button.dataset.take ?? "")}"]`, HTMLInputElement);
    if (!radio) return;
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  });
  startSlider(form);
  startComposing(form);
  show(form);
}

/**
 * Shows the fields for the kind of question, and those for whether it is sensitive.
 * @param {HTMLFormElement} form
 */
function show(form) {
  const kind = find(form, "[name=kind]", HTMLSelectElement).selectedOptions[0];
  const answers = kind?.dataset.options ?? "options";
  const sensitive = find(form, "[name=randomized]", HTMLSelectElement).value === "True";
  const uses = new Set([answers, sensitive ? "sensitive" : "direct"]);
  for (const part of findAll(form, "[data-for]", HTMLElement)) part.hidden = !uses.has(part.dataset.for ?? "");
  // Fields of features are for sensitive questions whose answers are written in one way.
  for (const field of findAll(form, "[data-sensitive-with]", HTMLElement)) {
    const option = around(field, "[data-option]", HTMLElement);
    if (option) option.hidden = !sensitive || field.dataset.sensitiveWith !== answers;
  }
  // So large an epsilon needs a reason.
  const reason = seek(form, "[data-option=reason]", HTMLDetailsElement);
  if (reason) {
    const isNeeded = sensitive && Number(find(form, "[name=epsilon]", HTMLInputElement).value) > Number(form.dataset.limit);
    const isGiven = find(reason, "textarea", HTMLTextAreaElement).value !== "";
    reason.hidden = !isNeeded && !isGiven;
    const more = around(reason, "[data-more]", HTMLDetailsElement);
    if (isNeeded) reason.open = true;
    if (isNeeded && more) more.open = true;
  }
  // Whoever ticks nobody has answered: there is no refusal among the names.
  const refusal = seek(form, ".entry-prefer_not", HTMLElement);
  if (refusal) refusal.hidden = answers === "ties";
}

/**
 * Hides the devices that do not fit, and the randomizers that cannot reach the strength.
 * @param {HTMLFormElement} form
 */
export function showFitting(form) {
  const fitting = seek(form, "[data-fitting]", HTMLElement)?.dataset.fitting?.split(",").filter(Boolean) ?? [];
  for (const choice of findAll(form, "[data-design]", HTMLElement)) {
    choice.hidden = fitting.length > 0 && !fitting.includes(choice.dataset.design ?? "");
  }
  const offered = seek(form, "[data-offered]", HTMLElement)?.dataset.offered?.split(",") ?? [];
  for (const option of find(form, "[name=physical_device]", HTMLSelectElement).options) {
    option.hidden = option.disabled = option.value !== "" && !option.selected && !offered.includes(option.value);
  }
}

/**
 * Five strengths with names on a slider; the field beside it has the epsilon itself.
 * @param {HTMLFormElement} form
 */
function startSlider(form) {
  const slider = find(form, "[data-strength]", HTMLInputElement);
  const label = find(form, "[data-strength-label]", HTMLElement);
  const field = find(form, "[name=epsilon]", HTMLInputElement);
  // From weak to strong, as the slider goes.
  const epsilons = (slider.dataset.epsilons ?? "").trim().split(" ").reverse();
  const labels = (slider.dataset.labels ?? "").split("|").filter(Boolean).reverse();
  const follow = () => {
    const epsilon = Number(field.value);
    // The strongest whose epsilon is not below.
    const at = epsilons.findLastIndex((each) => epsilon > 0 && epsilon <= Number(each));
    slider.value = String(Math.max(at, 0));
    label.textContent = at < 0 ? "" : labels[at];
    slider.setAttribute("aria-valuetext", at < 0 ? "–" : labels[at]);
  };
  slider.addEventListener("input", () => {
    field.value = epsilons[Number(slider.value)];
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  for (const event of ["input", "filled"]) field.addEventListener(event, follow);
  find(form, "[data-slider]", HTMLElement).hidden = false;
  follow();
}
