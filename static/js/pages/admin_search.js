/** One search: its figure and tables are updated while it runs; a mark or a row chooses a design. */

import { onColourChange } from "../admin/figures.js";
import { around, find, findAll, read } from "../lib/find.js";
import { Front } from "../search/front.js";
import { drawHeat } from "../search/heat.js";
import { showParts } from "../search/parts.js";
import { watch } from "../search/watch.js";
import "./admin_page.js";

/** @param {string} id */
const byId = (id) => find(document, `#${id}`, HTMLElement);
const page = byId("search");
const list = find(document, "#point", HTMLSelectElement);
/** @type {FigureSettings} */
const settings = read("figure-settings");
const front = new Front(byId("plot"), settings, (key) => pick(key));
/** @type {Figure | null} */
let heat = read("heat-figure");
let stamp = page.dataset.stamp ?? "";

/**
 * The option of the same method with the nearest privacy, then the nearest index: the points of a
 * front change while it grows.
 * @param {string} key
 */
function nearest(key) {
  const [method, privacy, index] = key.split(":");
  /** @param {string[]} parts */
  const distances = ([, other, number]) => [
    Number(Math.abs(Number(other) - Number(privacy)).toFixed(8)),
    Math.abs(Number(number) - Number(index)),
  ];
  const options = [...list.options].map((option) => option.value).filter(Boolean);
  const ranked = options
    .map((value) => ({ value, parts: value.split(":") }))
    .filter(({ parts }) => parts[0] === method)
    .map(({ value, parts }) => ({ value, distance: distances(parts) }))
    .sort(({ distance: a }, { distance: b }) => a[0] - b[0] || a[1] - b[1]);
  return ranked[0]?.value ?? options[0] ?? "";
}

/**
 * @param {string} key
 * @param {{quietly?: boolean}} [how] quietly: not chosen by the user
 */
async function pick(key, { quietly = false } = {}) {
  if (!key) return;
  const answer = await fetch(`${page.dataset.point}?point=${encodeURIComponent(key)}`);
  if (!answer.ok) return;
  /** @type {SearchPoint} */
  const { key: chosen, html, figure } = await answer.json();
  front.chosen = chosen;
  list.value = nearest(chosen);
  if (!byId("detail").contains(document.activeElement)) byId("detail").innerHTML = html;
  heat = figure;
  if (!quietly) {
    byId("announcement").textContent = list.selectedOptions[0]?.textContent ?? "";
    history.replaceState(null, "", `?point=${encodeURIComponent(chosen)}`);
  }
  await Promise.all([front.draw(), drawHeat(byId("heat"), figure, settings)]);
}

/** @param {SearchStatus | null} status */
async function onAnswer(status) {
  byId("offline").hidden = Boolean(status);
  if (!status) return;
  const changed = status.stamp !== stamp;
  showParts(status.parts, (name) => {
    if (name === "choices" && front.chosen) list.value = nearest(front.chosen);
  });
  if (byId("announcement").textContent !== status.announcement && changed) byId("announcement").textContent = status.announcement;
  if (!changed) return;
  ({ stamp } = status);
  if (status.figures) {
    front.figures = status.figures;
    byId("front").removeAttribute("data-empty");
  }
  await pick(nearest(front.chosen || ":"), { quietly: true });
  await front.draw();
}

async function drawAll() {
  await front.draw();
  if (heat) await drawHeat(byId("heat"), heat, settings);
}

const { name = "", source = "" } = page.dataset;

/** @type {Record<string, () => Promise<void>>} */
const actions = {
  "reset-zoom": () => front.resetZoom(),
  png: () => front.save("png", name, source),
  svg: () => front.save("svg", name, source),
};

document.addEventListener("click", (event) => {
  const button = around(event.target, "button[data-action]", HTMLButtonElement);
  actions[button?.dataset.action ?? ""]?.();
  const link = around(event.target, "a[data-key]", HTMLAnchorElement);
  if (!link) return;
  event.preventDefault();
  pick(link.dataset.key ?? "");
  byId("chosen-heading").focus();
});
list.addEventListener("change", () => pick(list.value));
list.form?.addEventListener("submit", (event) => {
  event.preventDefault();
  pick(list.value);
});
for (const radio of findAll(document, "[name=measure]", HTMLInputElement)) {
  radio.addEventListener("change", () => {
    front.measure = radio.value;
    front.draw();
  });
}

for (const plain of findAll(document, "[data-plain]", HTMLElement)) plain.hidden = true;
front.chosen = list.dataset.chosen ?? "";
front.figures = read("figures");
find(document, "[name=measure][value=mse]", HTMLInputElement).checked = true;
onColourChange(drawAll);
await drawAll();
if (page.dataset.finished === "no") watch(page.dataset.status ?? "", () => stamp, onAnswer);
