import { el, freshId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { answersOf } from "./frequencies.js";
import { row } from "./radios.js";
import { symbol, wheel } from "./wheel.js";

export const words = {
  several: gettext("Tick all that apply."),
  apart: gettext("Chance treats each box separately."),
  once: gettext("One spin for all boxes. Chance treats each one separately, and only once."),
  pick: gettext("Pick any numbers."),
};

/** @type {MakeControl} */
export const control = ({ categories, prefer_not: refusal }, _device, naming, onChange) =>
  boxes(categories, refusal, naming, onChange);

/**
 * Native checkboxes without name and value. “None of these” is an answer like any other, so that an
 * empty list is never taken for one; it excludes all others, as a refusal does.
 * @param {string[]} labels
 * @param {boolean} refusal whether the last label is one
 * @param {Naming} naming
 * @param {() => void} onChange
 * @returns {Control<number[]>}
 */
function boxes(labels, refusal, naming, onChange) {
  const inputs = labels.map(box);
  const last = labels.length - Number(refusal);
  const none = gettext("None of these");
  // An author may have index it already.
  const index = labels.findIndex((label) => label.toLowerCase() === none.toLowerCase());
  const added = index < 0 ? [box()] : [];
  const exclusive = [...added, ...inputs.slice(index, index + 1), ...inputs.slice(last)];
  const all = [...inputs.slice(0, last), ...added, ...inputs.slice(last)];
  const names = [...labels.slice(0, last), ...added.map(() => none), ...labels.slice(last)];
  const look = names.length > 9 ? "options options--many" : "options";
  const rows = all.map((input, i) => row(input, names[i]));
  const node = el("div", { role: "group", class: look, ...naming }, ...rows);
  const clear = () => all.forEach((input) => (input.checked = false));
  node.addEventListener("change", ({ target }) => {
    const ticked = all.find((input) => input === target && input.checked);
    const cleared = ticked && exclusive.includes(ticked) ? all : exclusive;
    if (ticked) cleared.forEach((input) => (input.checked = input === ticked));
    onChange();
  });
  const choice = () =>
    all.some((input) => input.checked) ? inputs.map((input) => Number(input.checked)) : null;
  return { node, choice, clear, focus: () => all[0].focus() };
}

const box = () => el("input", { type: "checkbox", id: freshId(), autocomplete: "off" });

/**
 * Both wheels of the device of a box, whatever is ticked.
 * @param {Question} question
 * @param {Device} device
 */
export const wheels = (question, device) =>
  answersOf(question, device).map((name, v) =>
    el("figure", {}, wheel(device, v).node, el("figcaption", {}, name)),
  );

/**
 * The report of each box.
 * @param {Question} question
 * @param {number[]} codes
 * @param {string[]} letters
 */
export function codeList({ categories }, codes, letters) {
  const rows = categories.map((name, i) =>
    el("li", {}, symbol(codes[i], letters[i]), el("span", {}, `${name}: `, el("b", {}, letters[i]))),
  );
  return el("ul", { class: "codes" }, ...rows);
}
