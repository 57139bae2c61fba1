/**
 * The clusters of questions as boxes, between which questions are dragged. Beside the
 * lists, which say the same and work by keyboard: so the boxes are hidden from screen readers.
 */

import { el } from "../lib/dom.js";
import { findAll } from "../lib/find.js";

/** @typedef {{select: HTMLSelectElement, name: string}} Question */

/**
 * @param {HTMLElement} root the fieldset of the lists
 * @param {(text: string) => void} announce
 */
export function startBoard(root, announce) {
  const questions = findAll(root, "select", HTMLSelectElement).map((select) => ({
    select,
    name: select.name.replace(/^cluster-/, ""),
  }));
  const board = el("div", { class: "board", "aria-hidden": "true" });
  root.querySelector("legend")?.after(el("p", { class: "quiet" }, root.dataset.hint), board);
  const draw = () => board.replaceChildren(...boxes(questions, move));
  /**
   * @param {Question} question
   * @param {string} cluster
   */
  function move(question, cluster) {
    if (question.select.value === cluster) return;
    question.select.value = cluster;
    question.select.dispatchEvent(new Event("change", { bubbles: true }));
  }
  root.addEventListener("change", (event) => {
    draw();
    const moved = questions.find(({ select }) => select === event.target);
    const cluster = moved?.select.selectedOptions[0]?.textContent ?? "";
    announce((root.dataset.moved ?? "").replace("%1", moved?.name ?? "").replace("%2", cluster));
  });
  draw();
}

/**
 * A box for each cluster with a question, and an empty one for a new cluster.
 * @param {Question[]} questions
 * @param {(question: Question, cluster: string) => void} move
 */
function boxes(questions, move) {
  const used = new Set(questions.map(({ select }) => select.value));
  const options = [...questions[0].select.options];
  const free = options.find(({ value }) => !used.has(value));
  return options
    .filter((option) => used.has(option.value) || option === free)
    .map(({ value, textContent }) => box(value, textContent ?? "", questions, move));
}

/**
 * @param {string} cluster
 * @param {string} title
 * @param {Question[]} questions
 * @param {(question: Question, cluster: string) => void} move
 */
function box(cluster, title, questions, move) {
  const chips = questions.filter(({ select }) => select.value === cluster).map(({ name }) => chip(name));
  const place = el("div", { class: "board__box", "data-cluster": cluster }, el("strong", {}, title), ...chips);
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    const name = event.dataTransfer?.getData("text/plain");
    const question = questions.find((each) => each.name === name);
    if (question) move(question, cluster);
  });
  return place;
}

/** @param {string} name */
function chip(name) {
  const each = el("code", { class: "board__question", draggable: "true" }, name);
  each.addEventListener("dragstart", (event) => event.dataTransfer?.setData("text/plain", name));
  return each;
}
