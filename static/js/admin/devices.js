/** The devices of one question: which fit, how they compare, and the respondent's own. */

const NOTHING = "–";
const FIGURES = ["margin", "needed", "belief", "epsilon", "proves"];

/** @param {HTMLElement} card @returns {string} the device that is chosen */
export const chosenDesign = (card) =>
  card.querySelector(`[name="${card.id}-design"]:checked`)?.value ?? "";

/**
 * @param {HTMLElement} card
 * @param {object} told the server's answer for this question
 * @param {string} language the respondents'
 */
export function showDevices(card, told, language) {
  if (told.fitting?.length) showFitting(card, told.fitting, told.design);
  showRows(card, told);
  card.querySelector("[data-best]").textContent = told.best ?? "";
  card.querySelector("[data-revealed]").textContent = told.revealed ?? "";
  if (told.own) showOwn(card, told.own, language);
}

function showFitting(card, fitting, design) {
  for (const place of card.querySelectorAll("[data-design]")) {
    place.hidden = !fitting.includes(place.dataset.design);
  }
  if (fitting.includes(chosenDesign(card))) return;
  const usual = card.querySelector(`[name="${card.id}-design"][value="${CSS.escape(design)}"]`);
  if (usual) usual.checked = true;
}

function showRows(card, told) {
  const body = card.querySelector("[data-rows]");
  const rows = told.rows?.length ? told.rows : emptyRows(card);
  const labels = body.dataset.labels.split("|");
  const present = new Map([...body.rows].map((row) => [row.dataset.row, row]));
  body.replaceChildren(...rows.map((row) => filled(present.get(row.name) ?? newRow(), row, labels)));
  for (const row of body.rows) markChosen(row, row.dataset.row === chosenDesign(card), body);
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
  row.cells[0].textContent = figures.label;
  FIGURES.forEach((name, index) => {
    const cell = row.cells[index + 1];
    if (!stale) cell.textContent = figures[name] ?? NOTHING;
    cell.dataset.label = labels[index];
    cell.dataset.cell = name;
  });
  return row;
}

function markChosen(row, chosen, body) {
  row.classList.toggle("compare__chosen", chosen);
  if (!chosen) return;
  const chip = document.createElement("span");
  chip.className = "chip";
  chip.textContent = body.dataset.chosen;
  row.cells[0].append(" ", chip);
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
