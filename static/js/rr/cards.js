/** Decks: devices whose report is a card that shows some of the answers. docs/protocol.md */

/** @param {object} device as served, see `Device` in device.js */
export const isDeck = ({ design }) => design === "cards";

/**
 * The answers on the card of each report, in order, read off the table: it is all that counts.
 * Of a deck every row has two values but for rounding, the larger one where the card shows the
 * answer.
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
 * How many of the denominator draw a card that shows their answer, and one certain card: with
 * their answer on it, and without.
 */
export function deckShares({ columns }, shown) {
  const [first] = columns;
  const on = first.findIndex((_, u) => shown[u].includes(0));
  const off = first.findIndex((_, u) => !shown[u].includes(0));
  const kept = first.reduce((sum, entry, u) => sum + entry * shown[u].includes(0), 0);
  return { kept, on: first[on], off: first[off] };
}

/**
 * Refuses a deck for which the page's words would not be true: cards that show different numbers
 * of answers, one answer or all, or that are not all alike.
 */
export function checkDeck(device, fail) {
  const shown = cardsShown(device);
  const [{ length: size }] = shown;
  const alike = shown.every((card) => card.length === size);
  if (!alike || size < 2 || size >= device.columns.length) fail("bad_cards", "columns");
  const { kept, on, off } = deckShares(device, shown);
  if (on === undefined || off === undefined) fail("bad_cards", "columns");
  // Rounded down and made whole again, an entry is off by less than there are reports.
  const near = (entry, wanted) => Math.abs(entry - wanted) <= device.reports.length;
  device.columns.forEach((column, v) => {
    const even = column.every((entry, u) => near(entry, shown[u].includes(v) ? on : off));
    const mass = column.reduce((sum, entry, u) => sum + entry * shown[u].includes(v), 0);
    const same = Math.abs(mass - kept) <= device.reports.length ** 2;
    if (!even || !same) fail("bad_cards", `columns.${v}`);
  });
}
