/** What features add to the cards of a draft's questions: their scripts put it here, before the page starts. */

/** @type {CardPart[]} */
export const CARD_PARTS = [];

/** @param {HTMLElement} card @returns {string} what it shares with other cards; empty on its own */
export const sharedBy = (card) =>
  CARD_PARTS.map(({ name, sharedBy: of }) => of(card) && `${name} ${of(card)}`).find(Boolean) ?? "";

/**
 * The card that another one moves past: of those that share something without it, the farthest.
 * @param {HTMLElement[]} cards in their order
 * @param {number} index of the card that moves
 * @param {number} step 1 or -1
 * @returns {HTMLElement | undefined}
 */
export function passedBy(cards, index, step) {
  let next = index + step;
  const passed = cards[next];
  const shared = passed && sharedBy(passed);
  if (!shared || shared === sharedBy(cards[index])) return passed;
  while (cards[next + step] && sharedBy(cards[next + step]) === shared) next += step;
  return cards[next];
}
