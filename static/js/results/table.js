/**
 * A table as text that spreadsheets take: cells by tabs, rows by line ends.
 * @param {HTMLTableElement} table
 */
export function tableText(table) {
  const cell = (element) => element.textContent.trim().replace(/\s+/g, " ");
  return [...table.rows].map((row) => [...row.cells].map(cell).join("\t")).join("\n");
}

/** @param {HTMLTableElement} table */
export async function copyTable(table) {
  const text = tableText(table);
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Without TLS a browser offers no clipboard; the older way needs a selected field.
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("aria-hidden", "true");
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (!copied) throw new Error("The browser did not copy.");
}
