/** Questions that are sent together: the list on each card, and the head above each group. */

import { find, findAll } from "../lib/find.js";

/**
 * @param {HTMLElement} card
 * @returns {HTMLSelectElement} the list from which its group is chosen
 */
const chooser = (card) => find(card, `[name="${card.id}-group"]`, HTMLSelectElement);

/** @param {HTMLElement} card @returns {string} the number of its group; empty on its own */
export const groupOf = (card) => chooser(card).value;

/**
 * Offers every group that a card is in, and one more.
 * @param {HTMLElement} root the questions' section
 * @param {HTMLElement[]} cards those that stay, in their order
 */
export function refreshGroups(root, cards) {
  const used = new Set(cards.map(groupOf).filter(Boolean).map(Number));
  let free = 1;
  while (used.has(free)) free += 1;
  const numbers = [...used, free].sort((a, b) => a - b);
  for (const card of cards) offer(root, chooser(card), numbers);
  showFrames(root, cards);
}

/**
 * The card that another one moves past: of a group that it is not in, the farthest.
 * @param {HTMLElement[]} cards in their order
 * @param {number} index of the card that moves
 * @param {number} step 1 or -1
 * @returns {HTMLElement | undefined}
 */
export function passedBy(cards, index, step) {
  let next = index + step;
  const passed = cards[next];
  const group = passed && groupOf(passed);
  if (!group || group === groupOf(cards[index])) return passed;
  while (cards[next + step] && groupOf(cards[next + step]) === group) next += step;
  return cards[next];
}

/**
 * @param {HTMLElement} root
 * @param {HTMLSelectElement} list
 * @param {number[]} numbers
 */
function offer(root, list, numbers) {
  const values = ["", ...numbers.map(String)];
  if (values.join() === [...list.options].map(({ value }) => value).join()) return;
  const chosen = list.value;
  const labels = values.map((value) => (value ? nameOf(root, value) : (root.dataset.alone ?? "")));
  list.replaceChildren(...values.map((value, index) => new Option(labels[index], value)));
  list.value = chosen;
}

/**
 * @param {HTMLElement} root
 * @param {string} number
 */
export const nameOf = (root, number) => (root.dataset.group ?? "").replace("%1", number);

/**
 * Frames neighbours of one group, under a head that the server fills.
 * @param {HTMLElement} root
 * @param {HTMLElement[]} cards
 */
function showFrames(root, cards) {
  /** @type {Set<string>} */
  const headed = new Set();
  cards.forEach((card, index) => {
    const group = groupOf(card);
    card.classList.toggle("card--grouped", group !== "");
    const last = !cards[index + 1] || groupOf(cards[index + 1]) !== group;
    card.classList.toggle("card--group-end", group !== "" && last);
    find(card, ".devices", HTMLElement).hidden = group !== "";
    if (!group || headed.has(group)) return;
    headed.add(group);
    const head = headOf(root, group) ?? newHead(root, group);
    if (card.previousElementSibling !== head) card.before(head);
  });
  for (const head of heads(root)) if (!headed.has(head.dataset.groupHead ?? "")) head.remove();
}

/** @param {HTMLElement} root */
const heads = (root) => findAll(root, "[data-cards] > [data-group-head]", HTMLElement);

/**
 * @param {HTMLElement} root
 * @param {string} group
 */
const headOf = (root, group) => heads(root).find((head) => head.dataset.groupHead === group);

/**
 * @param {HTMLElement} root
 * @param {string} group
 */
function newHead(root, group) {
  const template = find(root, "[data-new-group]", HTMLTemplateElement);
  const head = find(document.importNode(template.content, true), "[data-group-head]", HTMLElement);
  head.dataset.groupHead = group;
  find(head, "[data-group-label]", HTMLElement).textContent = nameOf(root, group);
  return head;
}

/**
 * @param {HTMLElement} root
 * @param {GroupAnswer[]} answers the server's, one for each group
 */
export function showGroups(root, answers) {
  for (const answer of answers) {
    const head = headOf(root, String(answer.number));
    if (head) showGroup(head, answer);
  }
}

/**
 * @param {HTMLElement} head
 * @param {GroupAnswer} answer
 */
function showGroup(head, { label, problems, warning, columns, rows, sentence }) {
  find(head, "[data-group-label]", HTMLElement).textContent = label;
  const box = find(head, "[data-group-problems]", HTMLElement);
  // Said again only where it is new.
  if (box.textContent !== problems.join("")) box.replaceChildren(...problems.map((text) => paragraph(text)));
  find(head, "[data-group-warning]", HTMLElement).textContent = warning;
  find(head, "[data-group-ways]", HTMLElement).hidden = rows.length === 0;
  find(head, "[data-group-sentence]", HTMLElement).textContent = sentence;
  const [first] = find(head, "[data-columns]", HTMLTableRowElement).cells;
  first.parentElement?.replaceChildren(first, ...columns.map((name) => column(name)));
  const body = find(head, "[data-rows]", HTMLTableSectionElement);
  body.replaceChildren(...rows.map((row) => wayRow(row, columns, body)));
}

/** @param {string} text */
function paragraph(text) {
  const node = document.createElement("p");
  node.textContent = text;
  return node;
}

/** @param {string} name */
function column(name) {
  const cell = document.createElement("th");
  cell.scope = "col";
  cell.textContent = name;
  return cell;
}

/**
 * @param {WayRow} row
 * @param {string[]} columns
 * @param {HTMLElement} body with the words for the marks
 */
function wayRow({ label, used, cells }, columns, body) {
  const node = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.append(label, ...(used ? [" ", chip(body.dataset.used)] : []));
  node.classList.toggle("compare__chosen", used);
  node.append(head, ...cells.map(({ margin, best }, index) => {
    const cell = document.createElement("td");
    cell.dataset.label = columns[index];
    const shown = document.createElement("span");
    shown.append(margin, ...(best ? [" ", chip(body.dataset.best)] : []));
    cell.append(shown);
    return cell;
  }));
  return node;
}

/** @param {string | undefined} text */
function chip(text) {
  const node = document.createElement("span");
  node.className = "chip";
  node.textContent = text ?? "";
  return node;
}
