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
 * @returns {Control<number>}
 */
export function radios(labels, naming, onChange, look) {
  const inputs = labels.map((_, i) => radio(i, labels.length));
  const rows = inputs.map((input, i) => row(input, labels[i]));
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
  return { node, choice, clear, focus: () => inputs.find((x) => x.tabIndex === 0)?.focus() };
}

/**
 * @param {number} position
 * @param {number} size
 */
function radio(position, size) {
  const place = { "aria-posinset": position + 1, "aria-setsize": size };
  return el("input", { type: "radio", id: freshId(), autocomplete: "off", ...place });
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
  if (key === "Home") return 0;
  if (key === "End") return inputs.length - 1;
  if (!Object.hasOwn(STEPS, key)) return null;
  // Where a line runs from right to left, so do answers beside each other.
  const isMirrored = key !== "ArrowDown" && key !== "ArrowUp" && document.dir === "rtl";
  const step = isMirrored ? -STEPS[key] : STEPS[key];
  return (inputs.findIndex((input) => input === from) + step + inputs.length) % inputs.length;
}
