import { uniformBelow } from "./random.js";

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {RandomBytes} randomBytes
 * @returns {Item[]} in an order of which all are alike likely (Fisher and Yates)
 */
export function shuffle(items, randomBytes) {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = uniformBelow(last + 1, randomBytes);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
