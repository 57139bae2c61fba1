/**
 * The question cards of a draft: add, move, remove, and show the fields of the chosen kind. A card
 * keeps its index; the order is in `position`, so that no move renumbers the fields of another card.
 */

import { CARD_PARTS, passedBy } from "../admin/card_parts.js";
import { followProposal, startDevices } from "../admin/devices.js";
import { el } from "../lib/dom.js";
import { around, find, findAll, read, seek } from "../lib/find.js";
import { exactNumber } from "../lib/numbers.js";

/**
 * @param {HTMLElement} root the questions' section
 * @param {() => void} changed called after each change that the panels depend on
 */
export function startCards(root, changed) {
  const list = find(root, "[data-cards]", HTMLElement);
  /** @type {(card: HTMLElement, step: number) => void} */
  const move = (card, step) => moveCard(root, list, card, step);
  root.addEventListener("click", (event) => {
    const button = around(event.target, "button", HTMLButtonElement);
    const card = around(button, "[data-question]", HTMLElement);
    if (!button) return;
    if ("add" in button.dataset) addCard(root, list);
    else if (!card) return;
    else if ("up" in button.dataset) move(card, -1);
    else if ("down" in button.dataset) move(card, 1);
    else if ("remove" in button.dataset) markRemoved(root, card, true);
    else if ("undo" in button.dataset) markRemoved(root, card, false);
    else return;
    refresh(root, list);
    changed();
  });
  root.addEventListener("input", () => refresh(root, list));
  root.addEventListener("change", ({ target }) => sayChange(root, target));
  startFollowing(root, list);
  startDevices(root);
  root.classList.add("questions--live");
  sortByPosition(list);
  for (const card of cardsOf(list)) if (isRemoved(card)) markRemoved(root, card, true);
  refresh(root, list);
  // Until here a click would have been lost.
  find(root, "[data-add]", HTMLButtonElement).disabled = false;
}

/** @param {HTMLElement} list @returns {HTMLElement[]} every card, the removed ones too */
export const cardsOf = (list) => findAll(list, ":scope > [data-question]", HTMLElement);

/** @param {HTMLElement} card @returns {boolean} */
export const isRemoved = (card) => Boolean(deletion(card)?.checked);

/** @param {HTMLElement} card @param {string} name @returns {HTMLInputElement} */
export const input = (card, name) => find(card, `[name="${card.id}-${name}"]`, HTMLInputElement);

/** @param {HTMLElement} card @param {string} name @returns {HTMLSelectElement} */
export const select = (card, name) => find(card, `[name="${card.id}-${name}"]`, HTMLSelectElement);

/** @param {HTMLElement} card @param {string} name @returns {HTMLTextAreaElement} */
export const textarea = (card, name) => find(card, `[name="${card.id}-${name}"]`, HTMLTextAreaElement);

/** @param {HTMLElement} card @returns {string} the key of a saved question, or empty */
export const savedId = (card) => seek(card, `[name="${card.id}-id"]`, HTMLInputElement)?.value ?? "";

/** @param {HTMLElement} card @returns {HTMLInputElement | null} none where nothing may be removed */
const deletion = (card) => seek(card, `[name="${card.id}-DELETE"]`, HTMLInputElement);

/** @param {HTMLElement} card @returns {boolean} whether the answer is scrambled */
export const isSensitive = (card) =>
  seek(card, `[name="${card.id}-randomized"]:checked`, HTMLInputElement)?.value === "True";

/**
 * The boxes of an unsaved question (required, "prefer not to say") follow whether it is sensitive.
 * A box that its author has set, here or before a failed save, keeps its value.
 * @param {HTMLElement} root
 * @param {HTMLElement} list
 */
function startFollowing(root, list) {
  /** @type {Record<"true" | "false", Record<string, boolean>>} by whether it is sensitive */
  const starts = read("question-starts");
  /** @param {HTMLElement} card */
  const boxes = (card) =>
    Object.entries(starts[isSensitive(card) ? "true" : "false"]).map(([name, start]) => ({ box: input(card, name), start }));
  for (const card of cardsOf(list).filter(isNew)) {
    for (const { box, start } of boxes(card)) if (box.checked !== start) box.dataset.chosen = "";
  }
  root.addEventListener("change", ({ target }) => {
    const card = around(target, "[data-question]", HTMLElement);
    if (!card || !isNew(card)) return;
    for (const { box, start } of boxes(card)) {
      if (box === target) box.dataset.chosen = "";
      else if (!("chosen" in box.dataset)) box.checked = start;
    }
  });
}

/** @param {HTMLElement} card */
const isNew = (card) => !savedId(card);

/** @param {HTMLElement} list */
function sortByPosition(list) {
  /** @param {HTMLElement} card */
  const position = (card) => Number(input(card, "position").value);
  list.append(...cardsOf(list).sort((a, b) => position(a) - position(b)));
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} list
 */
function addCard(root, list) {
  const total = find(root, `[name="${root.dataset.questions}-TOTAL_FORMS"]`, HTMLInputElement);
  const template = find(root, "[data-new-question]", HTMLTemplateElement);
  const card = find(document.importNode(template.content, true), "[data-question]", HTMLElement);
  for (const node of [card, ...card.querySelectorAll("*")]) fillIndex(node, total.value);
  total.value = String(Number(total.value) + 1);
  input(card, "name").value = freeName(list);
  followProposal(card);
  list.append(card);
  textarea(card, "text").focus();
}

/**
 * @param {Element} node
 * @param {string} index
 */
function fillIndex(node, index) {
  for (const { name, value } of [...node.attributes]) {
    if (value.includes("__prefix__")) node.setAttribute(name, value.replaceAll("__prefix__", index));
  }
}

/**
 * The first of q1, q2, ... that no question has.
 * @param {HTMLElement} list
 */
function freeName(list) {
  const taken = new Set(cardsOf(list).map((card) => input(card, "name").value.trim()));
  let number = 1;
  while (taken.has(`q${number}`)) number += 1;
  return `q${number}`;
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} list
 * @param {HTMLElement} card
 * @param {number} step
 */
function moveCard(root, list, card, step) {
  const cards = cardsOf(list).filter((other) => !isRemoved(other));
  const index = cards.indexOf(card);
  const neighbour = passedBy(cards, index, step);
  if (!neighbour) return;
  const button = around(document.activeElement, "*", HTMLElement);
  if (step < 0) neighbour.before(card);
  else neighbour.after(card);
  button?.focus();
  card.scrollIntoView({ block: "nearest" });
  say(root, "moved", index + 1, cards.indexOf(neighbour) + 1, cards.length);
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} card
 * @param {boolean} removed
 */
function markRemoved(root, card, removed) {
  const number = part(card, "[data-number]").textContent;
  const box = deletion(card);
  if (!box) return;
  box.checked = removed;
  card.classList.toggle("card--gone", removed);
  part(card, "[data-body]").hidden = removed;
  part(card, ".card__tools").hidden = removed;
  part(card, "[data-gone]").hidden = !removed;
  part(card, removed ? "[data-undo]" : "[data-remove]").focus({ preventScroll: true });
  if (removed) say(root, "removed", number);
}

/**
 * @param {HTMLElement} root
 * @param {string} selector
 */
const part = (root, selector) => find(root, selector, HTMLElement);

/**
 * @param {HTMLElement} root
 * @param {string} name of the sentence
 * @param {...(string | number)} values for %1, %2, ...
 */
const say = (root, name, ...values) => announce(root, root.dataset[name] ?? "", values);

/**
 * @param {HTMLElement} root
 * @param {string} sentence
 * @param {(string | number)[]} values for %1, %2, ...
 */
function announce(root, sentence, values) {
  part(root, "[data-status]").textContent = values.reduce(
    (/** @type {string} */ text, value, index) => text.replace(`%${index + 1}`, String(value)),
    sentence,
  );
}

/**
 * Says what a change of a feature's field means.
 * @param {HTMLElement} root
 * @param {EventTarget | null} target what was changed
 */
function sayChange(root, target) {
  const card = around(target, "[data-question]", HTMLElement);
  if (!card || !target) return;
  for (const { changed } of CARD_PARTS) changed(root, card, target, (sentence, ...values) => announce(root, sentence, values));
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} list
 */
function refresh(root, list) {
  const cards = cardsOf(list).filter((card) => !isRemoved(card));
  cards.forEach((card, index) => {
    input(card, "position").value = String(index + 1);
    part(card, "[data-number]").textContent = String(index + 1);
    setDisabled(part(card, "[data-up]"), index === 0);
    setDisabled(part(card, "[data-down]"), index === cards.length - 1);
    showFields(root, card);
  });
  for (const { refresh: follow } of CARD_PARTS) follow(root, cards);
  part(root, "[data-no-questions]").hidden = cardsOf(list).length > 0;
}

/**
 * A disabled button stays focusable, so that the focus is not lost at either end of the list.
 * @param {HTMLElement} button
 * @param {boolean} disabled
 */
function setDisabled(button, disabled) {
  button.setAttribute("aria-disabled", String(disabled));
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} card
 */
function showFields(root, card) {
  const kind = select(card, "kind");
  const sensitive = isSensitive(card);
  const answers = kind.selectedOptions[0]?.dataset.options;
  part(card, ".entry-options").hidden = answers !== undefined;
  part(card, "[data-range]").hidden = answers !== "range";
  part(card, "[data-text]").hidden = answers !== "text";
  part(card, "[data-ties]").hidden = answers !== "ties";
  // Whoever ticks nobody has answered: there is no refusal among the names.
  part(card, ".entry-prefer_not").hidden = answers === "ties";
  // Fields of features are for sensitive questions, whose answers are written in one way.
  for (const field of card.querySelectorAll("[data-sensitive-with]")) {
    const { sensitiveWith } = /** @type {HTMLElement} */ (field).dataset;
    const entry = /** @type {HTMLElement | null} */ (field.closest(".entry"));
    if (entry) entry.hidden = !sensitive || answers !== sensitiveWith;
  }
  part(card, "[data-device]").hidden = !sensitive;
  part(card, "[data-direct]").hidden = sensitive;
  const chips = [
    input(card, "name").value,
    kind.selectedOptions[0]?.text,
    ...CARD_PARTS.map(({ chipOf }) => chipOf(root, card)).filter(Boolean),
    sensitive ? `${root.dataset.sensitive} · ε ${displayNumber(input(card, "epsilon").value)}` : root.dataset.direct,
  ];
  part(card, "[data-chips]").replaceChildren(...chips.map((text) => el("span", { class: "chip" }, text)));
}

/**
 * A field's number in the page's language, with every digit.
 * @param {string} value
 */
function displayNumber(value) {
  const isNumber = value !== "" && !Number.isNaN(Number(value));
  return isNumber ? exactNumber(Number(value)) : value || "?";
}
