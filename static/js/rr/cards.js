/** Decks: devices whose report is a card that shows some of the answers. docs/protocol.md */

/**
 * The answers on the card of each report, read off the table: of a deck every row has two values
 * but for rounding, the larger one where the card shows the answer.
 * @param {Device} device
 * @returns {number[][]} by report
 */
export function cardsShown({ columns, reports }) {
  return reports.map((_, u) => {
    const row = columns.map((column) => column[u]);
    const middle = Math.max(...row) + Math.min(...row);
    return [...row.keys()].filter((v) => 2 * row[v] > middle);
  });
}

/**
 * Of the denominator: how much draws a card that shows the answer of a column (`kept`), and what one
 * card has with that answer on it and without.
 * @param {number[]} column
 * @param {number[][]} shown by report
 * @param {number} [v]
 */
export function deckShares(column, shown, v = 0) {
  const has = column.map((_, u) => shown[u].includes(v));
  const kept = column.reduce((sum, entry, u) => sum + entry * Number(has[u]), 0);
  return { has, kept, on: column[has.indexOf(true)], off: column[has.indexOf(false)] };
}

/**
 * Refuses cards of which the page's words would not be true: all show as many, none is rarer.
 * @param {Device} device
 * @param {Fail} fail
 */
export function check(device, fail) {
  const { columns, reports } = device;
  const shown = cardsShown(device);
  const size = shown[0].length;
  const alike = shown.every((card) => card.length === size);
  if (!alike || size < 2 || size >= columns.length) fail("bad_cards", "table");
  const { kept, on, off } = deckShares(columns[0], shown);
  // Rounding moves an entry by less than there are reports; no other difference is let pass.
  /** @type {(entry: number, wanted: number) => boolean} */
  const near = (entry, wanted) => Math.abs(entry - wanted) <= reports.length;
  columns.forEach((column, v) => {
    const here = deckShares(column, shown, v);
    const even = column.every((entry, u) => near(entry, here.has[u] ? on : off));
    const same = Math.abs(here.kept - kept) <= reports.length ** 2;
    if (!even || !same) fail("bad_cards", `table.columns.${v}`);
  });
}
