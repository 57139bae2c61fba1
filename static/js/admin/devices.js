/** The devices of one question: which fit, how they compare, and the respondent's own. */

const NOTHING = "–";
const FIGURES = ["margin", "needed", "belief", "epsilon", "proves"];

/** @param {HTMLElement} card @returns {string} the device that is chosen */
export const chosenDesign = (card) =>
  card.querySelector(`[name="${card.id}-design"]:checked`)?.value ?? "";

const follower = (card) => card.querySelector(`[name="${card.id}-design_follows"]`);

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
    const button = target.closest("[data-take]");
    if (!button) return;
    const radio = radioOf(button.closest("[data-question]"), button.dataset.take);
    radio.checked = true;
    // The button goes with the proposal; the keyboard's place is then at what it has chosen.
    radio.focus();
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

function picked({ target }) {
  const card = target.closest("[data-question]");
  if (card && target.name === `${card.id}-design`) follower(card).value = "";
}

const radioOf = (card, design) =>
  card.querySelector(`[name="${card.id}-design"][value="${CSS.escape(design)}"]`);

/**
 * @param {HTMLElement} card
 * @param {object} told the server's answer for this question
 * @param {string} language the respondents'
 */
export function showDevices(card, told, language) {
  if (told.fitting?.length) showFitting(card, told);
  showRows(card, told);
  showProposal(card, told);
  card.querySelector("[data-revealed]").textContent = told.revealed ?? "";
  if (told.own) showOwn(card, told.own, language);
}

function showFitting(card, { fitting, design, refusal }) {
  card.querySelector("[data-refusal]").textContent = refusal;
  for (const place of card.querySelectorAll("[data-design]")) {
    place.hidden = !fitting.includes(place.dataset.design);
  }
  if (fitting.includes(chosenDesign(card)) && !followsProposal(card)) return;
  const usual = radioOf(card, design);
  if (usual) usual.checked = true;
}

function showProposal(card, { best, proposal }) {
  card.querySelector("[data-best]").textContent = best ?? "";
  const button = card.querySelector("[data-take]");
  button.hidden = !proposal;
  button.dataset.take = proposal ?? "";
}

function showRows(card, told) {
  const body = card.querySelector("[data-rows]");
  const rows = told.rows?.length ? told.rows : emptyRows(card);
  const labels = body.dataset.labels.split("|");
  const present = new Map([...body.rows].map((row) => [row.dataset.row, row]));
  body.replaceChildren(...rows.map((row) => filled(present.get(row.name) ?? newRow(), row, labels)));
  for (const row of body.rows) {
    row.dataset.note = radioOf(card, row.dataset.row)?.dataset.note ?? "";
    markChosen(row, row.dataset.row === chosenDesign(card), body);
  }
}

/** Figures of another epsilon must not stand beside this one; the rows themselves stay. */
function emptyRows(card) {
  const chosen = chosenDesign(card);
  return [...card.querySelectorAll("[data-design]")]
    .filter((place) => !place.hidden && (!("relaxed" in place.dataset) || place.dataset.design === chosen))
    .map((place) => ({ name: place.dataset.design, label: labelOf(place) }));
}

const labelOf = (place) =>
  (place.matches("label") ? place : place.querySelector("label.choice")).textContent.trim();

function newRow() {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  row.append(head, ...FIGURES.map(() => document.createElement("td")));
  return row;
}

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

function noteOf({ note }) {
  const place = document.createElement("span");
  place.className = "compare__note";
  place.textContent = note ?? "";
  return place;
}

function markChosen(row, chosen, body) {
  row.classList.toggle("compare__chosen", chosen);
  row.querySelector(".chip")?.remove();
  if (!chosen) return;
  const chip = document.createElement("span");
  chip.className = "chip";
  chip.textContent = body.dataset.chosen;
  row.cells[0].firstChild.after(" ", chip);
}

function showOwn(card, own, language) {
  const select = card.querySelector(`[name="${card.id}-own_device"]`);
  for (const option of select.options) {
    const fits = option.value === "" || option.selected || own.fitting?.includes(option.value);
    option.hidden = option.disabled = !fits && own.fitting !== undefined;
  }
  card.querySelector("[data-own-problem]").textContent = own.problem ?? "";
  card.querySelector("[data-own-epsilon]").textContent = own.epsilon ?? "";
  const list = card.querySelector("[data-own-sentences]");
  if (language) list.lang = language;
  list.replaceChildren(...(own.sentences ?? []).map((text) => item(text)));
}

function item(text) {
  const node = document.createElement("li");
  node.textContent = text;
  return node;
}
