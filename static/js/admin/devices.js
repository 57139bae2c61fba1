/** The devices of one question: which fit, how they compare, and the physical randomizer. */

import { el } from "../lib/dom.js";
import { around, find, findAll, seek } from "../lib/find.js";

const NOTHING = "–";
/** @type {("margin" | "needed" | "belief" | "epsilon" | "identifying_reports")[]} */
const FIGURES = ["margin", "needed", "belief", "epsilon", "identifying_reports"];

/** @param {HTMLElement} card @returns {string} the device that is chosen */
export const chosenDesign = (card) =>
  seek(card, `[name="${card.id}-design"]:checked`, HTMLInputElement)?.value ?? "";

/** @param {HTMLElement} card */
const follower = (card) => find(card, `[name="${card.id}-design_follows"]`, HTMLInputElement);

/** @param {HTMLElement} card @returns {boolean} whether the device follows the proposal */
export const followsProposal = (card) => follower(card).value === "on";

/**
 * Lets the device of a new question follow the proposal, until its author picks one.
 * @param {HTMLElement} card
 */
export function followProposal(card) {
  follower(card).value = "on";
}

/**
 * A stopFollowing device stays; a proposal is taken by its button.
 * @param {HTMLElement} root the questions' section
 */
export function startDevices(root) {
  // A click on the device that is proposed picks it too, and changes nothing.
  for (const event of ["change", "click"]) root.addEventListener(event, stopFollowing);
  root.addEventListener("click", ({ target }) => {
    const button = around(target, "[data-take]", HTMLButtonElement);
    const card = around(button, "[data-question]", HTMLElement);
    const radio = card && radioOf(card, button?.dataset.take ?? "");
    if (!radio) return;
    radio.checked = true;
    // The button disappears with the proposal, so the focus moves to the device.
    radio.focus();
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

/** @param {Event} event */
function stopFollowing({ target }) {
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
 * @param {PanelOfQuestion} answer the server's for this question
 * @param {string} language the respondents'; empty where it is not known
 */
export function showDevices(card, answer, language) {
  if (answer.fitting?.length) showFitting(card, answer.fitting, answer);
  showRows(card, answer);
  showProposal(card, answer);
  for (const note of findAll(card, "[data-setting-note]", HTMLElement)) {
    note.textContent = answer.notes?.[note.dataset.settingNote ?? ""] ?? "";
  }
  if (answer.physical) showPhysical(card, answer.physical, language);
}

/**
 * @param {HTMLElement} card
 * @param {string[]} fitting
 * @param {PanelOfQuestion} answer
 */
function showFitting(card, fitting, { design = "", refusal = "" }) {
  find(card, "[data-refusal]", HTMLElement).textContent = refusal;
  const focused = designsOf(card).find((choice) => choice.contains(document.activeElement));
  for (const choice of designsOf(card)) choice.hidden = !fitting.includes(choice.dataset.design ?? "");
  if (focused?.hidden) radioOf(card, fitting[0])?.focus({ preventScroll: true });
  if (fitting.includes(chosenDesign(card)) && !followsProposal(card)) return;
  const radio = radioOf(card, design);
  if (radio) radio.checked = true;
}

/** @param {HTMLElement} card */
const designsOf = (card) => findAll(card, "[data-design]", HTMLElement);

/**
 * @param {HTMLElement} card
 * @param {PanelOfQuestion} answer
 */
function showProposal(card, { best, proposal }) {
  find(card, "[data-best]", HTMLElement).textContent = best ?? "";
  const button = find(card, "[data-take]", HTMLButtonElement);
  button.hidden = !proposal;
  button.dataset.take = proposal ?? "";
}

/**
 * @param {HTMLElement} card
 * @param {PanelOfQuestion} answer
 */
function showRows(card, answer) {
  const body = find(card, "[data-rows]", HTMLTableSectionElement);
  const rows = answer.rows?.length ? answer.rows : emptyRows(card);
  const labels = (body.dataset.labels ?? "").split("|");
  const rowOf = new Map([...body.rows].map((row) => [row.dataset.row, row]));
  body.replaceChildren(...rows.map((row) => fillRow(rowOf.get(row.name) ?? newRow(), row, labels)));
  for (const row of body.rows) {
    row.dataset.note = radioOf(card, row.dataset.row ?? "")?.dataset.note ?? "";
    markChosen(row, row.dataset.row === chosenDesign(card), body);
  }
}

/**
 * Rows without figures, which would be those of another epsilon.
 * @param {HTMLElement} card
 * @returns {DeviceRow[]}
 */
function emptyRows(card) {
  const chosen = chosenDesign(card);
  return designsOf(card)
    .filter(({ hidden, dataset }) => !hidden && (!("relaxed" in dataset) || dataset.design === chosen))
    .map((choice) => ({ name: choice.dataset.design ?? "", label: labelOf(choice) }));
}

/** @param {HTMLElement} choice */
const labelOf = (choice) =>
  (choice.matches("label") ? choice : find(choice, "label.choice", HTMLElement)).textContent.trim();

const newRow = () => el("tr", {}, el("th", { scope: "row" }), ...FIGURES.map(() => el("td")));

/**
 * @param {HTMLTableRowElement} row
 * @param {DeviceRow} figures
 * @param {string[]} labels of the columns, for a narrow page
 */
function fillRow(row, figures, labels) {
  // Hidden, not emptied, while there are no figures: the page below must not move.
  const stale = figures.margin === undefined && row.dataset.row !== undefined;
  row.classList.toggle("compare__stale", stale);
  row.dataset.row = figures.name;
  if (!stale) row.cells[0].replaceChildren(figures.label, el("span", { class: "compare__note" }, figures.note));
  FIGURES.forEach((name, index) => {
    const cell = row.cells[index + 1];
    if (!stale) cell.textContent = figures[name] ?? NOTHING;
    cell.dataset.label = labels[index];
    cell.dataset.cell = name;
  });
  return row;
}

/**
 * @param {HTMLTableRowElement} row
 * @param {boolean} chosen
 * @param {HTMLElement} body
 */
function markChosen(row, chosen, body) {
  row.classList.toggle("compare__chosen", chosen);
  row.querySelector(".chip")?.remove();
  if (chosen) row.cells[0].firstChild?.after(" ", el("span", { class: "chip" }, body.dataset.chosen));
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
  list.replaceChildren(...(physical.sentences ?? []).map((text) => el("li", {}, text)));
}
