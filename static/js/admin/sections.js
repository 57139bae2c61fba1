/** Tables below the figures of a question, each with what is to be said about it. */

import { el } from "../lib/dom.js";
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
const block = ({ heading, columns, rows, sentences, folded }, open) =>
  el(
    folded ? "details" : "section",
    { class: "panel__section", open: folded && open },
    el(folded ? "summary" : "h3", {}, heading),
    table(heading, columns, rows),
    ...sentences.map((sentence) => el("p", {}, sentence)),
  );

/**
 * @param {string} heading
 * @param {string[]} columns
 * @param {{cells: string[], marked: boolean}[]} rows
 */
function table(heading, columns, rows) {
  const lines = rows.map(({ cells, marked }) =>
    el("tr", { class: marked && "sections__marked" }, ...cells.map((value, index) => {
      const label = { "data-label": columns[index] };
      return index ? el("td", label, value) : el("th", { scope: "row", ...label }, value);
    })),
  );
  return el(
    "table",
    { class: "sections__table" },
    el("caption", {}, heading),
    el("thead", {}, el("tr", {}, ...columns.map((label) => el("th", { scope: "col" }, label)))),
    el("tbody", {}, ...lines),
  );
}
