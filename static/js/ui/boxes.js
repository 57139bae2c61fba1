import { el, freshId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";

/**
 * Native checkboxes with neither name nor value. “None of these” is an answer like any other, so
 * that an empty list is never taken for one; it stands alone, and so does a refusal.
 */
export function boxes(labels, refusal, naming, onChange) {
  const inputs = labels.map(box);
  const none = box();
  const last = labels.length - Number(refusal);
  const alone = [none, ...inputs.slice(last)];
  const all = [...inputs.slice(0, last), ...alone];
  const names = [...labels.slice(0, last), gettext("None of these"), ...labels.slice(last)];
  const look = names.length > 9 ? "options options--many" : "options";
  const rows = all.map((input, i) =>
    el("label", { class: "option", for: input.id }, input, el("span", {}, names[i])),
  );
  const node = el("div", { role: "group", class: look, ...naming }, ...rows);
  const clear = () => all.forEach((input) => (input.checked = false));
  node.addEventListener("change", ({ target }) => {
    const leaves = alone.includes(target) ? all : alone;
    if (target.checked) leaves.forEach((input) => (input.checked = input === target));
    onChange();
  });
  const choice = () =>
    all.some((input) => input.checked) ? inputs.map((input) => Number(input.checked)) : null;
  return { node, choice, clear, focus: () => all[0].focus() };
}

const box = () => el("input", { type: "checkbox", id: freshId(), autocomplete: "off" });
