import { el } from "../lib/dom.js";

/**
 * The first cell names its row; `wide` may be scrolled.
 * @param {{caption: string, head: string[], rows: string[][], wide?: boolean, look?: string}} content
 */
export function table({ caption, head, rows, wide, look = "" }) {
  const names = head.map((name, i) => el("th", { scope: "col", class: i ? "num" : null }, name));
  /** @param {string[]} row */
  const line = ([name, ...cells]) =>
    el("tr", {}, el("th", { scope: "row" }, name), ...cells.map((x) => el("td", { class: "num" }, x)));
  const node = el(
    "table",
    { class: `outcomes ${look}`.trim() },
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, ...names)),
    el("tbody", {}, ...rows.map(line)),
  );
  const frame = { class: "table-wrap", tabindex: "0", role: "region", "aria-label": caption };
  return el("div", wide ? frame : { class: "table-wrap" }, node);
}
