/** Tables whose truths and reports are orders of items, drawn by their distance; after the orders a refusal. */

import { checkDenominator } from "./device.js";
import { uniformBelow } from "./random.js";
import { checkKeys, isCode } from "./shape.js";

const [FEWEST, MOST] = [3, 6];

/**
 * How many orders of so many items have each number of inversions.
 * @param {number} items
 */
export function distanceCounts(items) {
  let counts = [1];
  for (let size = 2; size <= items; size += 1) {
    const next = Array(counts.length + size - 1).fill(0);
    counts.forEach((count, d) => {
      for (let more = 0; more < size; more += 1) next[d + more] += count;
    });
    counts = next;
  }
  return counts;
}

/** @param {number} items */
const ordersOf = (items) => distanceCounts(items).reduce((sum, count) => sum + count, 0);

/**
 * @param {RankingTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {CheckedTable<OtherContents, number>}
 */
export function form(table, fail, onPage) {
  checkKeys(table, ["form", "items", "denominator", "weights", "refusal"], [], fail);
  const { items, denominator, weights, refusal } = table;
  if (!Number.isSafeInteger(items) || items < FEWEST || items > MOST) fail("bad_number", "items");
  checkDenominator(denominator, onPage, fail);
  const counts = distanceCounts(items);
  if (!Array.isArray(weights) || weights.length !== counts.length) fail("wrong_length", "weights");
  if (refusal !== null && (!Array.isArray(refusal) || refusal.length !== 3)) fail("wrong_length", "refusal");
  const [reported, kept, each] = refusal ?? [0, denominator, 0];
  if (![...weights, reported, kept, each].every(isCode)) fail("not_an_integer", "weights");
  // Subtracting stays exact: once below zero it stays there, however large the entries.
  if (weights.reduce((left, weight, d) => left - weight * counts[d], denominator - reported) !== 0) fail("wrong_sum", "weights");
  if (denominator - kept - each * ordersOf(items) !== 0) fail("wrong_sum", "refusal");
  const truths = ordersOf(items) + Number(refusal !== null);
  return {
    contents: { truths, worst: worstOf(table), draws: denominator },
    draw: (truth, randomBytes) => drawOrder(table, counts, truths, truth, randomBytes),
    has: (report) => isCode(report) && report < truths,
    longest: String(truths - 1).length,
  };
}

/**
 * The largest and the smallest chance of an order, and of a refusal.
 * @param {RankingTable} table
 * @returns {[bigint, bigint][]}
 */
function worstOf({ weights, refusal }) {
  const [reported, kept, each] = refusal ?? [];
  const orders = each === undefined ? weights : [...weights, each];
  /** @type {(entries: number[]) => [bigint, bigint]} */
  const ends = (entries) => [BigInt(Math.max(...entries)), BigInt(Math.min(...entries))];
  return reported === undefined || kept === undefined ? [ends(orders)] : [ends(orders), ends([reported, kept])];
}

/**
 * Only orders are shown as such.
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
export function check({ table }, fail) {
  if (table.form !== "ranking") fail("bad_form", "table");
}

/**
 * Checks a ranking, whose categories are its items.
 * @param {Question} question
 * @param {Fail} fail
 */
export function checkQuestion({ categories, prefer_not: refusal }, fail) {
  const items = categories.length - Number(refusal);
  if (items < FEWEST || items > MOST) fail("wrong_length", "categories");
}

/**
 * Draws one integer, whatever the truth is: by distances for an order, and alike for a refusal.
 * @param {RankingTable} table
 * @param {number[]} counts
 * @param {number} truths
 * @param {Truth} truth
 * @param {RandomBytes} randomBytes
 */
function drawOrder({ items, denominator, weights, refusal }, counts, truths, truth, randomBytes) {
  if (typeof truth !== "number" || !isCode(truth) || truth >= truths) return undefined;
  const orders = ordersOf(items);
  let left = uniformBelow(denominator, randomBytes);
  if (truth === orders) {
    const each = refusal ? refusal[2] : 0;
    return left < each * orders ? Math.floor(left / each) : orders;
  }
  for (const [distance, weight] of weights.entries()) {
    if (left < weight * counts[distance]) {
      const exchange = exchangeAt(items, distance, Math.floor(left / weight));
      const order = orderOf(truth, items);
      return numberOf(exchange.map((place) => order[place]));
    }
    left -= weight * counts[distance];
  }
  return orders;
}

/**
 * One of the orders of 0, 1, ... with so many inversions, as they are sorted.
 * @param {number} items
 * @param {number} inversions
 * @param {number} rank from 0
 */
function exchangeAt(items, inversions, rank) {
  const left = Array.from({ length: items }, (_, item) => item);
  return left.slice().map(() => {
    const after = distanceCounts(left.length - 1);
    let place = 0;
    // So many orders of what is left begin with the item at this place.
    while (rank >= (after[inversions - place] ?? 0)) {
      rank -= after[inversions - place] ?? 0;
      place += 1;
    }
    inversions -= place;
    return left.splice(place, 1)[0];
  });
}

/**
 * The order with a number, as orders are sorted: the items by their places in what is left.
 * @param {number} number
 * @param {number} items
 * @returns {number[]}
 */
export function orderOf(number, items) {
  const left = Array.from({ length: items }, (_, item) => item);
  return left.slice().map(() => {
    const after = ordersOf(left.length - 1);
    const place = Math.floor(number / after);
    number -= place * after;
    return left.splice(place, 1)[0];
  });
}

/**
 * The number of an order: how many are sorted before it.
 * @param {number[]} order
 */
export function numberOf(order) {
  return order.reduce((number, item, place) => {
    const rest = order.slice(place + 1);
    return number + rest.filter((later) => later < item).length * ordersOf(rest.length);
  }, 0);
}
