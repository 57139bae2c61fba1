/** Devices whose report is a card that shows some of the answers. docs/protocol.md */

/**
 * The answers on the card of each report, read off the table.
 * @param {Device} device
 * @returns {number[][]} by report; a row has two values but for rounding, the larger for answers on it
 */
export function answersOnCards({ columns, reports }) {
  return reports.map((_, u) => {
    const row = columns.map((column) => column[u]);
    const middle = Math.max(...row) + Math.min(...row);
    return [...row.keys()].filter((v) => 2 * row[v] > middle);
  });
}

/**
 * In units of the denominator: `shows` for all cards with the answer of a column, `on` for one card
 * with it and `off` for one without.
 * @param {number[]} column
 * @param {number[][]} cards by report
 * @param {number} [v]
 */
export function cardShares(column, cards, v = 0) {
  const has = column.map((_, u) => cards[u].includes(v));
  const shows = column.reduce((sum, entry, u) => sum + entry * Number(has[u]), 0);
  return { has, shows, on: column[has.indexOf(true)], off: column[has.indexOf(false)] };
}

/**
 * Refuses cards that the page's sentences do not fit: all show as many answers, none is rarer.
 * @param {Device} device
 * @param {Fail} fail
 */
export function check(device, fail) {
  const { columns, reports, denominator } = device;
  if (!columns) fail("bad_cards", "table");
  const cards = answersOnCards(device);
  const size = cards[0].length;
  const alike = cards.every((card) => card.length === size);
  if (!alike || size < 2 || size >= columns.length) fail("bad_cards", "table");
  const { shows, on, off } = cardShares(columns[0], cards);
  // Rounding moves an entry by less than the number of reports. A later wave is made of a table that
  // was rounded to 2**32, up to eight times as sharp. No other difference is allowed.
  const slack = reports.length * Math.max(1, Math.floor(denominator / 2 ** 29));
  /** @type {(entry: number, expected: number) => boolean} */
  const near = (entry, expected) => Math.abs(entry - expected) <= slack;
  columns.forEach((column, v) => {
    const shares = cardShares(column, cards, v);
    const even = column.every((entry, u) => near(entry, shares.has[u] ? on : off));
    const same = Math.abs(shares.shows - shows) <= reports.length * slack;
    if (!even || !same) fail("bad_cards", `table.columns.${v}`);
  });
}
