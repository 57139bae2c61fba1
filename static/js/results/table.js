/**
 * Tables for spreadsheets. A cell may have several values, each marked `data-value`; an interval is
 * two. The heading then names their columns in its `data-columns`, a line for each.
 */

import { findAll } from "../lib/find.js";
import { ENDS, plainNumber } from "../lib/numbers.js";

// A spreadsheet reads a cell that begins so as a formula.
const FORMULA = /^[=+\-@\t\r]/;

/**
 * @param {HTMLTableElement} table
 * @returns {string[][]} one value a cell, as many in every row
 */
function tableGrid(table) {
  const [head, ...rows] = table.rows;
  /** @param {string} text */
  const plain = (text) => plainNumber(text) ?? escapeFormula(text);
  const names = [...head.cells].map(({ dataset, textContent }) => dataset.columns?.split("\n") ?? [collapseSpace(textContent)]);
  // The name of a row is a text, even where it looks like a number.
  /** @param {HTMLTableCellElement} cell */
  const cellValues = (cell) => valuesOf(cell).map(cell.tagName === "TH" ? escapeFormula : plain);
  const body = rows.map((row) =>
    [...row.cells].flatMap((cell, i) => pad(cellValues(cell), names[i].length)),
  );
  return [names.flat().map(escapeFormula), ...body];
}

/**
 * Rows by line ends, cells by tabs.
 * @param {string[][]} grid
 */
const gridText = (grid) => grid.map((row) => row.join("\t")).join("\n");

/** @param {string[][]} grid */
function gridHtml([head, ...body]) {
  const table = document.createElement("table");
  /** @type {(section: HTMLTableSectionElement, cells: string[], tag: string) => void} */
  const row = (section, cells, tag) => {
    const line = section.insertRow();
    for (const text of cells) line.append(Object.assign(document.createElement(tag), { textContent: text }));
  };
  row(table.createTHead(), head, "th");
  const rows = table.createTBody();
  for (const cells of body) row(rows, cells, "td");
  return table.outerHTML;
}

/** @param {HTMLTableElement} table */
export async function copyTable(table) {
  const grid = tableGrid(table);
  const forms = { "text/html": gridHtml(grid), "text/plain": gridText(grid) };
  // Without TLS, or in an older browser, it does not exist, whatever the declarations say.
  /** @type {Partial<Clipboard> | undefined} */
  const clipboard = navigator.clipboard;
  if (clipboard?.write) {
    const blobs = Object.entries(forms).map(([type, text]) => [type, new Blob([text], { type })]);
    await clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
  } else copyByCommand(forms);
}

// Without TLS a browser offers no clipboard; the older way needs a selected field.
/** @param {Record<string, string>} forms by media type */
function copyByCommand(forms) {
  const field = document.createElement("textarea");
  field.value = forms["text/plain"];
  field.setAttribute("aria-hidden", "true");
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  /** @param {ClipboardEvent} event */
  const fill = (event) => {
    for (const [type, text] of Object.entries(forms)) event.clipboardData?.setData(type, text);
    event.preventDefault();
  };
  document.addEventListener("copy", fill, { once: true });
  const copied = document.execCommand("copy");
  document.removeEventListener("copy", fill);
  field.remove();
  if (!copied) throw new Error("The browser did not copy.");
}

/** @param {string} text */
const escapeFormula = (text) => (FORMULA.test(text) ? `'${text}` : text);

/** @param {string} text */
const collapseSpace = (text) => text.trim().replace(/\s+/g, " ");

/** @param {HTMLTableCellElement} cell */
function valuesOf(cell) {
  const values = findAll(cell, "[data-value]", HTMLElement);
  return (values.length ? values : [cell]).flatMap((node) => {
    const text = collapseSpace(node.textContent);
    return node.dataset.value === "interval" ? pad(text.split(ENDS), 2) : [text];
  });
}

/** @type {(values: string[], size: number) => string[]} */
const pad = (values, size) => [...values, ...Array(Math.max(0, size - values.length)).fill("")];
