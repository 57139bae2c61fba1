/** Tables below the figures of a question, each with what is to be said about it. */

import { find } from "../lib/find.js";

/**
 * Shows the sections of a panel; one that its reader has opened stays open.
 * @param {HTMLElement} panel
 * @param {PanelSection[]} sections
 */
export function showSections(panel, sections) {
  const box = find(panel, "[data-sections]", HTMLElement);
  const open = new Set(
    [...box.querySelectorAll("details[open]")].map((node) => node.querySelector("summary")?.textContent),
  );
  box.replaceChildren(...sections.map((section) => block(section, open.has(section.heading))));
}

/**
 * @param {PanelSection} section
 * @param {boolean} open
 */
function block({ heading, columns, rows, sentences, folded }, open) {
  const node = document.createElement(folded ? "details" : "section");
  node.className = "panel__section";
  if (node instanceof HTMLDetailsElement) node.open = open;
  node.append(
    text(folded ? "summary" : "h3", heading),
    table(heading, columns, rows),
    ...sentences.map((sentence) => text("p", sentence)),
  );
  return node;
}

/**
 * @param {string} heading
 * @param {string[]} columns
 * @param {{cells: string[], marked: boolean}[]} rows
 */
function table(heading, columns, rows) {
  const node = document.createElement("table");
  node.className = "sections__table";
  node.createCaption().textContent = heading;
  const head = node.createTHead().insertRow();
  head.append(...columns.map((label) => cell("th", label, "col")));
  const body = node.createTBody();
  for (const { cells, marked } of rows) {
    const row = body.insertRow();
    row.classList.toggle("sections__marked", marked);
    const [first, ...others] = cells;
    row.append(cell("th", first, "row"), ...others.map((value) => cell("td", value)));
    [...row.cells].forEach((each, index) => { each.dataset.label = columns[index]; });
  }
  return node;
}

/**
 * @param {"th" | "td"} name
 * @param {string} content
 * @param {string} [scope]
 */
function cell(name, content, scope) {
  const node = document.createElement(name);
  node.textContent = content;
  if (scope) node.scope = scope;
  return node;
}

/**
 * @param {string} name
 * @param {string} content
 */
function text(name, content) {
  const node = document.createElement(name);
  node.textContent = content;
  return node;
}
