/** The order in which one person is asked, where chance picks it. */

import { shuffle } from "../../rr/shuffle.js";

/**
 * A survey with its questions in an order that chance picks where the document says so: all orders are alike likely.
 * Questions with one draw stay together, as units do, and a statement stays before its section.
 * @param {WithSections} parameters
 * @param {RandomBytes} randomBytes
 * @param {string[][]} [units]
 * @returns {WithSections} with the digest and the devices of the document
 */
export function inOrderByChance(parameters, randomBytes, units = []) {
  const { questions, devices, sections } = parameters;
  /** @param {string} id the first of those that share a draw with it */
  const leader = (id) => [...units, ...devices.map((device) => device.questions)].find((names) => names.includes(id))?.[0] ?? id;
  const shuffled = sections.map((section) => {
    if (!section.random) return section;
    const draws = runs(section.questions, (id, before) => leader(id) === leader(before));
    return { ...section, questions: shuffle(draws, randomBytes).flat() };
  });
  const parts = runs(shuffled, (_, before) => !before.questions.length);
  const moving = parts.filter(isMoving);
  const moved = shuffle(moving, randomBytes);
  const order = parts.flatMap((part) => (isMoving(part) ? (moved.pop() ?? []) : part));
  const ids = order.flatMap((section) => section.questions);
  const asked = [...questions].sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  return { ...parameters, questions: asked, sections: order };
}

/** @param {Section[]} part a section, after the statements that go with it */
const isMoving = (part) => part[part.length - 1].moves;

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {(item: Item, before: Item) => boolean} goesWith
 * @returns {Item[][]} in their order, those that go with the one before in one list
 */
function runs(items, goesWith) {
  /** @type {Item[][]} */
  const found = [];
  items.forEach((item, i) => {
    if (i && goesWith(item, items[i - 1])) found[found.length - 1].push(item);
    else found.push([item]);
  });
  return found;
}
