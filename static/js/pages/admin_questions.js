/**
 * The question cards of a draft: add, move, remove, and show what belongs to the chosen kind.
 * Cards keep the index that they were made with; only `position` says their order, so that a
 * removed or moved card never renumbers the fields of another.
 */

import { followProposal, startDevices } from "../admin/devices.js";
import { exactNumber } from "../lib/numbers.js";

/**
 * @param {HTMLElement} root the questions' section
 * @param {() => void} changed told after each change that the panels depend on
 */
export function startCards(root, changed) {
  const list = root.querySelector("[data-cards]");
  const move = (card, step) => moveCard(root, list, card, step);
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const card = button?.closest("[data-question]");
    if (!button) return;
    if ("add" in button.dataset) addCard(root, list);
    else if ("up" in button.dataset) move(card, -1);
    else if ("down" in button.dataset) move(card, 1);
    else if ("remove" in button.dataset) markRemoved(root, card, true);
    else if ("undo" in button.dataset) markRemoved(root, card, false);
    else return;
    refresh(root, list);
    changed();
  });
  root.addEventListener("input", () => refresh(root, list));
  startFollowing(root, list);
  startDevices(root);
  root.classList.add("questions--live");
  sortByPosition(list);
  for (const card of cardsOf(list)) if (input(card, "DELETE")?.checked) markRemoved(root, card, true);
  refresh(root, list);
}

/** @param {HTMLElement} list @returns {HTMLElement[]} every card, the removed ones too */
export const cardsOf = (list) => [...list.querySelectorAll(":scope > [data-question]")];

/** @param {HTMLElement} card @returns {boolean} */
export const isRemoved = (card) => Boolean(input(card, "DELETE")?.checked);

/** @param {HTMLElement} card @param {string} name @returns {HTMLInputElement | null} */
export const input = (card, name) =>
  card.querySelector(`[name="${card.id}-${name}"]`);

/** @param {HTMLElement} card @returns {boolean} whether the answer is scrambled */
export const isSensitive = (card) =>
  card.querySelector(`[name="${card.id}-randomized"]:checked`)?.value === "True";

/**
 * Whether a question that was not saved yet must be answered and may be declined follows how it is
 * asked. A box that its author has set, here or before a save that failed, keeps what it says.
 */
function startFollowing(root, list) {
  const starts = JSON.parse(document.getElementById("question-starts").textContent);
  const boxes = (card) => Object.entries(starts[isSensitive(card)]).map(([name, start]) => [input(card, name), start]);
  for (const card of cardsOf(list).filter(isNew)) {
    for (const [box, start] of boxes(card)) if (box.checked !== start) box.dataset.chosen = "";
  }
  root.addEventListener("change", ({ target }) => {
    const card = target.closest("[data-question]");
    if (!card || !isNew(card)) return;
    for (const [box, start] of boxes(card)) {
      if (box === target) box.dataset.chosen = "";
      else if (!("chosen" in box.dataset)) box.checked = start;
    }
  });
}

const isNew = (card) => !input(card, "id")?.value;

function sortByPosition(list) {
  const place = (card) => Number(input(card, "position").value);
  list.append(...cardsOf(list).sort((a, b) => place(a) - place(b)));
}

function addCard(root, list) {
  const total = root.querySelector(`[name="${root.dataset.questions}-TOTAL_FORMS"]`);
  const fragment = root.querySelector("[data-new-question]").content.cloneNode(true);
  const card = fragment.querySelector("[data-question]");
  for (const node of [card, ...card.querySelectorAll("*")]) fillIndex(node, total.value);
  total.value = Number(total.value) + 1;
  input(card, "name").value = freeName(list);
  followProposal(card);
  list.append(card);
  input(card, "text").focus();
}

function fillIndex(node, index) {
  for (const { name, value } of [...node.attributes]) {
    if (value.includes("__prefix__")) node.setAttribute(name, value.replaceAll("__prefix__", index));
  }
}

/** The first of q1, q2, ... that no question has. */
function freeName(list) {
  const taken = new Set(cardsOf(list).map((card) => input(card, "name").value.trim()));
  let number = 1;
  while (taken.has(`q${number}`)) number += 1;
  return `q${number}`;
}

function moveCard(root, list, card, step) {
  const kept = cardsOf(list).filter((other) => !isRemoved(other));
  const at = kept.indexOf(card);
  const neighbour = kept[at + step];
  if (!neighbour) return;
  const button = document.activeElement;
  if (step < 0) neighbour.before(card);
  else neighbour.after(card);
  button.focus();
  card.scrollIntoView({ block: "nearest" });
  say(root, root.dataset.moved, at + 1, at + 1 + step, kept.length);
}

function markRemoved(root, card, removed) {
  const number = card.querySelector("[data-number]").textContent;
  input(card, "DELETE").checked = removed;
  card.classList.toggle("card--gone", removed);
  card.querySelector("[data-body]").hidden = removed;
  card.querySelector(".card__tools").hidden = removed;
  card.querySelector("[data-gone]").hidden = !removed;
  card.querySelector(removed ? "[data-undo]" : "[data-remove]").focus({ preventScroll: true });
  if (removed) say(root, root.dataset.removed, number);
}

function say(root, text, ...values) {
  root.querySelector("[data-said]").textContent = values.reduce(
    (sentence, value, index) => sentence.replace(`%${index + 1}`, value),
    text,
  );
}

function refresh(root, list) {
  const kept = cardsOf(list).filter((card) => !isRemoved(card));
  kept.forEach((card, index) => {
    input(card, "position").value = index + 1;
    card.querySelector("[data-number]").textContent = index + 1;
    setDisabled(card.querySelector("[data-up]"), index === 0);
    setDisabled(card.querySelector("[data-down]"), index === kept.length - 1);
    showWhatBelongs(root, card);
  });
  root.querySelector("[data-no-questions]").hidden = cardsOf(list).length > 0;
}

/** Stays focusable, so that the keyboard's place is not lost at either end of the list. */
function setDisabled(button, disabled) {
  button.setAttribute("aria-disabled", String(disabled));
}

function showWhatBelongs(root, card) {
  const kind = input(card, "kind");
  const sensitive = isSensitive(card);
  card.querySelector(".entry-options").hidden = kind.selectedOptions[0]?.dataset.options === "none";
  card.querySelector("[data-device]").hidden = !sensitive;
  card.querySelector("[data-direct]").hidden = sensitive;
  const chips = [
    input(card, "name").value,
    kind.selectedOptions[0]?.text,
    sensitive ? `${root.dataset.sensitive} · ε ${shown(input(card, "epsilon").value)}` : root.dataset.direct,
  ];
  card.querySelector("[data-chips]").replaceChildren(...chips.map((text) => chip(text)));
}

/** A field's number as the page's language writes it, with every digit. */
function shown(value) {
  const known = value !== "" && !Number.isNaN(Number(value));
  return known ? exactNumber(Number(value)) : value || "?";
}

function chip(text) {
  const node = document.createElement("span");
  node.className = "chip";
  node.textContent = text ?? "";
  return node;
}
