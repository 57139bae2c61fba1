import { el, freshId } from "../lib/dom.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/**
 * Native radio inputs without name and value, so that no form and no autofill can carry the choice.
 * One choice, arrow keys and one tab stop are done here.
 * @param {string[]} labels
 * @param {Naming} naming
 * @param {() => void} onChange
 * @param {string} [look]
 * @param {number} [answers] how many of the labels are answers; the others follow, and stand apart
 * @returns {Control<number>}
 */
export function radios(labels, naming, onChange, look, answers = labels.length) {
  const inputs = labels.map(radio);
  const rows = inputs.map((input, i) => row(input, labels[i]));
  // A question about members has none.
  rows[answers - 1]?.classList.add("option--last");
  rows.slice(answers).forEach((each) => each.classList.add("option--other"));
  const compact = labels.length > 8 ? "options options--many" : "options";
  const node = el("div", { role: "radiogroup", class: look ?? compact, ...naming }, ...rows);

  /** @param {number} stop */
  const settle = (stop) => inputs.forEach((input, i) => (input.tabIndex = i === stop ? 0 : -1));
  /** @param {number} index */
  const pick = (index) => {
    inputs.forEach((input, i) => (input.checked = i === index));
    settle(index);
    onChange();
  };
  inputs.forEach((input, i) => input.addEventListener("change", () => pick(i)));
  node.addEventListener("keydown", (event) => {
    const next = target(event, inputs);
    if (next === null) return;
    event.preventDefault();
    inputs[next].focus();
    pick(next);
  });
  const clear = () => {
    inputs.forEach((input) => (input.checked = false));
    settle(0);
  };
  clear();
  const choice = () => {
    const index = inputs.findIndex((input) => input.checked);
    return index < 0 ? null : index;
  };
  /** @type {Control<number>["offer"]} */
  const offer = (answer, isOffered) => {
    rows[answer].hidden = !isOffered;
    const shown = inputs.filter((_, i) => !rows[i].hidden);
    shown.forEach((input, i) => place(input, i, shown.length));
  };
  inputs.forEach((input, i) => place(input, i, inputs.length));
  return { node, choice, clear, offer, focus: () => inputs.find((x) => x.tabIndex === 0)?.focus() };
}

const radio = () => el("input", { type: "radio", id: freshId(), autocomplete: "off" });

/**
 * @param {HTMLInputElement} input
 * @param {number} position
 * @param {number} size
 */
function place(input, position, size) {
  input.setAttribute("aria-posinset", String(position + 1));
  input.setAttribute("aria-setsize", String(size));
}

/**
 * An option: a radio button or a box, with its label.
 * @param {HTMLInputElement} input
 * @param {string} label
 */
export function row(input, label) {
  return el("label", { class: "option", dir: "auto", for: input.id }, input, el("span", {}, label));
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement[]} inputs
 */
function target({ key, target: from, ctrlKey, altKey, metaKey }, inputs) {
  if (ctrlKey || altKey || metaKey) return null;
  const shown = inputs.filter((input) => !input.closest(".option")?.hasAttribute("hidden"));
  const at = shown.findIndex((input) => input === from);
  // Where a line runs from right to left, so do answers beside each other.
  const isMirrored = key !== "ArrowDown" && key !== "ArrowUp" && document.dir === "rtl";
  const step = isMirrored ? -STEPS[key] : STEPS[key];
  const to = key === "Home" ? 0 : key === "End" ? shown.length - 1 : Object.hasOwn(STEPS, key) ? at + step : null;
  return to === null ? null : inputs.indexOf(shown[(to + shown.length) % shown.length]);
}
