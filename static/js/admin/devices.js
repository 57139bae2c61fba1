/** The devices of one question: which fit, how they compare, and the physical randomizer. */

import { around, find, findAll, seek } from "../lib/find.js";

const NOTHING = "–";
/** @type {("margin" | "needed" | "belief" | "epsilon" | "identifying_reports")[]} */
const FIGURES = ["margin", "needed", "belief", "epsilon", "identifying_reports"];

/** @param {HTMLElement} card @returns {string} the device that is chosen */
export const chosenDesign = (card) =>
  seek(card, `[name="${card.id}-design"]:checked`, HTMLInputElement)?.value ?? "";

/** @param {HTMLElement} card */
const follower = (card) => find(card, `[name="${card.id}-design_follows"]`, HTMLInputElement);

/** @param {HTMLElement} card @returns {boolean} whether its author has left the device to us */
export const followsProposal = (card) => follower(card).value === "on";

/**
 * From now on the device of this new question is the one that is proposed, until one is picked.
 * @param {HTMLElement} card
 */
export function followProposal(card) {
  follower(card).value = "on";
}

/**
 * What somebody picks stays; a proposal is taken by its button.
 * @param {HTMLElement} root the questions' section
 */
export function startDevices(root) {
  // A click on the device that is proposed picks it too, and changes nothing.
  for (const event of ["change", "click"]) root.addEventListener(event, picked);
  root.addEventListener("click", ({ target }) => {
    const button = around(target, "[data-take]", HTMLButtonElement);
    const card = around(button, "[data-question]", HTMLElement);
    const radio = card && radioOf(card, button?.dataset.take ?? "");
    if (!radio) return;
    radio.checked = true;
    // The button goes with the proposal; the keyboard's place is then at what it has chosen.
    radio.focus();
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

/** @param {Event} event */
function picked({ target }) {
  const card = around(target, "[data-question]", HTMLElement);
  const radio = around(target, "input", HTMLInputElement);
  if (card && radio?.name === `${card.id}-design`) follower(card).value = "";
}

/**
 * @param {HTMLElement} card
 * @param {string} design
 */
const radioOf = (card, design) =>
  seek(card, `[name="${card.id}-design"][value="${CSS.escape(design)}"]`, HTMLInputElement);

/**
 * @param {HTMLElement} card
 * @param {PanelOfQuestion} told the server's answer for this question
 * @param {string} language the respondents'; empty where it is not known
 */
export function showDevices(card, told, language) {
  if (told.fitting?.length) showFitting(card, told.fitting, told);
  showRows(card, told);
  showProposal(card, told);
  for (const place of findAll(card, "[data-setting-note]", HTMLElement)) {
    place.textContent = told.notes?.[place.dataset.settingNote ?? ""] ?? "";
  }
  if (told.physical) showPhysical(card, told.physical, language);
}

/**
 * @param {HTMLElement} card
 * @param {string[]} fitting
 * @param {PanelOfQuestion} told
 */
function showFitting(card, fitting, { design = "", refusal = "" }) {
  find(card, "[data-refusal]", HTMLElement).textContent = refusal;
  for (const place of designsOf(card)) place.hidden = !fitting.includes(place.dataset.design ?? "");
  if (fitting.includes(chosenDesign(card)) && !followsProposal(card)) return;
  const usual = radioOf(card, design);
  if (usual) usual.checked = true;
}

/** @param {HTMLElement} card */
const designsOf = (card) => findAll(card, "[data-design]", HTMLElement);

/**
 * @param {HTMLElement} card
 * @param {PanelOfQuestion} told
 */
function showProposal(card, { best, proposal }) {
  find(card, "[data-best]", HTMLElement).textContent = best ?? "";
  const button = find(card, "[data-take]", HTMLButtonElement);
  button.hidden = !proposal;
  button.dataset.take = proposal ?? "";
}

/**
 * @param {HTMLElement} card
 * @param {PanelOfQuestion} told
 */
function showRows(card, told) {
  const body = find(card, "[data-rows]", HTMLTableSectionElement);
  const rows = told.rows?.length ? told.rows : emptyRows(card);
  const labels = (body.dataset.labels ?? "").split("|");
  const present = new Map([...body.rows].map((row) => [row.dataset.row, row]));
  body.replaceChildren(...rows.map((row) => filled(present.get(row.name) ?? newRow(), row, labels)));
  for (const row of body.rows) {
    row.dataset.note = radioOf(card, row.dataset.row ?? "")?.dataset.note ?? "";
    markChosen(row, row.dataset.row === chosenDesign(card), body);
  }
}

/**
 * Figures of another epsilon must not stand beside this one; the rows themselves stay.
 * @param {HTMLElement} card
 * @returns {DeviceRow[]}
 */
function emptyRows(card) {
  const chosen = chosenDesign(card);
  return designsOf(card)
    .filter((place) => !place.hidden && (!("relaxed" in place.dataset) || place.dataset.design === chosen))
    .map((place) => ({ name: place.dataset.design ?? "", label: labelOf(place) }));
}

/** @param {HTMLElement} place */
const labelOf = (place) =>
  (place.matches("label") ? place : find(place, "label.choice", HTMLElement)).textContent.trim();

function newRow() {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  row.append(head, ...FIGURES.map(() => document.createElement("td")));
  return row;
}

/**
 * @param {HTMLTableRowElement} row
 * @param {DeviceRow} figures
 * @param {string[]} labels of the columns, for a narrow page
 */
function filled(row, figures, labels) {
  // Hidden, not emptied, while there are no figures: the page below must not move.
  const stale = figures.margin === undefined && row.dataset.row !== undefined;
  row.classList.toggle("compare__stale", stale);
  row.dataset.row = figures.name;
  if (!stale) row.cells[0].replaceChildren(figures.label, noteOf(figures));
  FIGURES.forEach((name, index) => {
    const cell = row.cells[index + 1];
    if (!stale) cell.textContent = figures[name] ?? NOTHING;
    cell.dataset.label = labels[index];
    cell.dataset.cell = name;
  });
  return row;
}

/** @param {DeviceRow} row */
function noteOf({ note }) {
  const place = document.createElement("span");
  place.className = "compare__note";
  place.textContent = note ?? "";
  return place;
}

/**
 * @param {HTMLTableRowElement} row
 * @param {boolean} chosen
 * @param {HTMLElement} body
 */
function markChosen(row, chosen, body) {
  row.classList.toggle("compare__chosen", chosen);
  row.querySelector(".chip")?.remove();
  if (!chosen) return;
  const chip = document.createElement("span");
  chip.className = "chip";
  chip.textContent = body.dataset.chosen ?? "";
  row.cells[0].firstChild?.after(" ", chip);
}

/**
 * @param {HTMLElement} card
 * @param {PhysicalDevice} physical
 * @param {string} language
 */
function showPhysical(card, physical, language) {
  const select = find(card, `[name="${card.id}-physical_device"]`, HTMLSelectElement);
  for (const option of select.options) {
    const fits = option.value === "" || option.selected || physical.fitting?.includes(option.value);
    option.hidden = option.disabled = !fits && physical.fitting !== undefined;
  }
  find(card, "[data-physical-problem]", HTMLElement).textContent = physical.problem ?? "";
  find(card, "[data-physical-epsilon]", HTMLElement).textContent = physical.epsilon ?? "";
  const list = find(card, "[data-physical-sentences]", HTMLElement);
  if (language) list.lang = language;
  list.replaceChildren(...(physical.sentences ?? []).map((text) => item(text)));
}

/** @param {string} text */
function item(text) {
  const node = document.createElement("li");
  node.textContent = text;
  return node;
}
