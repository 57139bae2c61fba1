/** Questions that are sent together: the list on each card, and the head above each group. */

import { CARD_PARTS } from "../../admin/card_parts.js";
import { find, findAll } from "../../lib/find.js";
import { isSensitive } from "../../pages/admin_questions.js";

CARD_PARTS.push({
  name: "groups",
  sharedBy: groupOf,
  fieldsOf: (card) => ({ group: groupOf(card) }),
  chipOf: (root, card) => groupOf(card) && nameOf(root, groupOf(card)),
  refresh: refreshGroups,
  changed: sayGroup,
  show: showGroups,
});

/**
 * @param {HTMLElement} card
 * @returns {HTMLSelectElement} the list from which its group is chosen
 */
function chooser(card) {
  return find(card, `[name="${card.id}-group"]`, HTMLSelectElement);
}

/** @param {HTMLElement} card @returns {string} the number of its group; empty on its own */
function groupOf(card) {
  return chooser(card).value;
}

/**
 * Offers every group that a card is in, and one more.
 * @param {HTMLElement} root the questions' section
 * @param {HTMLElement[]} cards those that stay, in their order
 */
function refreshGroups(root, cards) {
  const used = new Set(cards.map(groupOf).filter(Boolean).map(Number));
  let free = 1;
  while (used.has(free)) free += 1;
  const numbers = [...used, free].sort((a, b) => a - b);
  for (const card of cards) {
    offer(root, chooser(card), numbers);
    // Only a sensitive question joins a group; one that has a group can leave it in any case.
    find(card, ".entry-group", HTMLElement).hidden = !isSensitive(card) && groupOf(card) === "";
  }
  showFrames(root, cards);
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
  const labels = values.map((value) => (value ? nameOf(root, value) : (wordsOf(root).alone ?? "")));
  list.replaceChildren(...values.map((value, index) => new Option(labels[index], value)));
  list.value = chosen;
}

/**
 * @param {HTMLElement} root
 * @param {string} number
 */
const nameOf = (root, number) => (wordsOf(root).group ?? "").replace("%1", number);

/**
 * The texts that come with the head of a group.
 * @param {HTMLElement} root
 */
const wordsOf = (root) => find(root, "[data-new-group]", HTMLTemplateElement).dataset;

/**
 * Says which group a question has joined or left.
 * @param {HTMLElement} root
 * @param {HTMLElement} card
 * @param {EventTarget} target what was changed
 * @param {(sentence: string, ...values: string[]) => void} say
 */
function sayGroup(root, card, target, say) {
  if (target !== chooser(card)) return;
  const number = find(card, "[data-number]", HTMLElement).textContent;
  if (groupOf(card)) say(wordsOf(root).joined ?? "", number, groupOf(card));
  else say(wordsOf(root).left ?? "", number);
}

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
    card.classList.toggle("card--joint", group !== "");
    const last = !cards[index + 1] || groupOf(cards[index + 1]) !== group;
    card.classList.toggle("card--joint-end", group !== "" && last);
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
function showGroups(root, answers) {
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
