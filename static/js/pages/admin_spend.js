/**
 * The proposal for the budget: a dialog beside it, whose epsilons are filled into the questions' own
 * fields. Nothing is stored; one button brings back what was there before.
 */

import { el } from "../lib/dom.js";
import { around, find, findAll, seek } from "../lib/find.js";
import { describe, formOf, liveCards, post, RefusedError } from "./admin_panel.js";
import { input, textarea } from "./admin_questions.js";

// The pause after which a typed margin is used.
const TYPING_PAUSE_MS = 200;
// A question's text in a row.
const LONGEST_TEXT = 90;

/**
 * @typedef {object} Before what a proposal has replaced
 * @property {Map<string, string>} epsilons by card
 * @property {string | null} budget null where it was not replaced
 */

/** @param {HTMLElement} root the questions' section */
export function startSpending(root) {
  const dialog = seek(root, "[data-spend]", HTMLDialogElement);
  if (!dialog) return;
  const [open, undo] = ["[data-spend-open]", "[data-spend-undo]"].map((name) => find(root, name, HTMLButtonElement));
  /** @type {Before | null} */
  let before = null;
  // Outside the form, so that nothing in it is sent or counts as an unsaved change.
  document.body.append(dialog);
  const { ask, stop, proposal } = startAsking(root, dialog);
  open.hidden = false;
  open.addEventListener("click", () => {
    dialog.showModal();
    ask();
  });
  dialog.addEventListener("close", stop);
  find(dialog, "[data-spend-close]", HTMLButtonElement).addEventListener("click", () => dialog.close());
  const accept = find(dialog, "[data-spend-accept]", HTMLInputElement);
  accept.addEventListener("input", (event) => {
    // It is about the answer that stands here, so that none is asked for anew.
    event.stopPropagation();
    find(dialog, "[data-spend-take]", HTMLButtonElement).disabled = !accept.checked;
  });
  find(dialog, "[data-spend-take]", HTMLButtonElement).addEventListener("click", () => {
    const answer = proposal();
    if (answer) before = take(root, answer);
    undo.hidden = false;
    dialog.close();
    say(root, "taken");
  });
  undo.addEventListener("click", () => {
    if (before) restore(root, before);
    undo.hidden = true;
    open.focus();
    say(root, "untaken");
  });
}

/**
 * Asks for a proposal whenever what matters is chosen anew.
 * @param {HTMLElement} root
 * @param {HTMLDialogElement} dialog
 */
function startAsking(root, dialog) {
  const wanted = find(dialog, "[data-spend-wanted]", HTMLElement);
  let timer = 0;
  /** @type {AbortController | null} */
  let running = null;
  /** @type {SpendAnswer | null} */
  let answer = null;

  const stop = () => {
    clearTimeout(timer);
    running?.abort();
  };
  async function ask() {
    stop();
    wanted.hidden = goalOf(dialog) !== "margin";
    running = new AbortController();
    const { signal } = running;
    answer = null;
    showPending(dialog);
    try {
      const found = await proposalFor(root, dialog, signal);
      if (signal.aborted) return;
      if (found.problem) return showProblem(dialog, found.problem);
      answer = found;
      showProposal(root, dialog, found);
    } catch (error) {
      if (signal.aborted) return;
      showProblem(dialog, error instanceof RefusedError ? error.message : (dialog.dataset.offline ?? ""));
    }
  }
  dialog.addEventListener("input", ({ target }) => {
    stop();
    const typed = around(target, "[data-spend-margin]", HTMLInputElement);
    timer = setTimeout(ask, typed ? TYPING_PAUSE_MS : 0);
  });
  return { ask, stop, proposal: () => answer };
}

/** @param {HTMLElement} dialog */
const goalOf = (dialog) => find(dialog, "[name=spend-goal]:checked", HTMLInputElement).value;

/**
 * For a long survey the server remembers what it has computed, and is asked again.
 * @param {HTMLElement} root
 * @param {HTMLElement} dialog
 * @param {AbortSignal} signal
 * @returns {Promise<SpendAnswer>}
 */
async function proposalFor(root, dialog, signal) {
  const form = formOf(root);
  const { plan, questions } = describe(form, root);
  const reasons = liveCards(root).map((card) => textarea(card, "epsilon_reason").value);
  const body = JSON.stringify({
    ...plan,
    goal: goalOf(dialog),
    margin: find(dialog, "[data-spend-margin]", HTMLInputElement).value,
    questions: questions.map((question, index) => ({ ...question, epsilon_reason: reasons[index] })),
  });
  for (;;) {
    const answer = await post(dialog.dataset.url ?? "", body, form, signal);
    if (!answer.more) return answer;
  }
}

/** @param {HTMLElement} dialog */
function showPending(dialog) {
  find(dialog, "[data-spend-answer]", HTMLElement).ariaBusy = "true";
  find(dialog, "[data-spend-take]", HTMLButtonElement).disabled = true;
  text(dialog, "problem", "");
  text(dialog, "exits", "");
  find(dialog, "[data-spend-worse]", HTMLElement).hidden = true;
  text(dialog, "summary", dialog.dataset.pending ?? "");
}

/**
 * @param {HTMLElement} dialog
 * @param {string} message
 */
function showProblem(dialog, message) {
  find(dialog, "[data-spend-answer]", HTMLElement).ariaBusy = "false";
  find(dialog, "[data-spend-table]", HTMLElement).hidden = true;
  text(dialog, "summary", "");
  text(dialog, "total", "");
  text(dialog, "problem", message);
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} dialog
 * @param {SpendAnswer} answer
 */
function showProposal(root, dialog, { rows, summary, total, budget, take, confirm, exits }) {
  const table = find(dialog, "[data-spend-table]", HTMLTableElement);
  const labels = findAll(table, "thead th", HTMLElement).map((head) => head.textContent);
  find(dialog, "[data-spend-rows]", HTMLElement).replaceChildren(...rows.map((row) => rowOf(root, row, labels)));
  table.hidden = false;
  find(dialog, "[data-spend-answer]", HTMLElement).ariaBusy = "false";
  const button = find(dialog, "[data-spend-take]", HTMLButtonElement);
  const accept = find(dialog, "[data-spend-accept]", HTMLInputElement);
  accept.checked = false;
  find(dialog, "[data-spend-worse]", HTMLElement).hidden = !confirm;
  text(dialog, "confirm", confirm);
  text(dialog, "exits", exits);
  button.textContent = take;
  button.classList.toggle("button--main", !confirm);
  button.classList.toggle("button--danger", Boolean(confirm));
  // A loss of precision is taken only after it was accepted.
  const isSame = !budget && rows.every(({ fields }) => Object.keys(fields).length === 0);
  button.disabled = isSame || Boolean(confirm);
  text(dialog, "problem", "");
  text(dialog, "summary", summary);
  text(dialog, "total", total);
}

/**
 * @param {HTMLElement} root
 * @param {SpendRow} row
 * @param {string[]} labels of the columns, for a narrow page
 */
function rowOf(root, row, labels) {
  const titles = row.keys.map((key) => el("div", {}, titleOf(root, key)));
  const note = row.note && el("span", { class: "spend__note" }, row.note);
  const isChanged = Object.keys(row.fields).length > 0;
  const cells = [row.now, row.proposed, row.margin_now, row.margin].map((value, index) => {
    const changed = isChanged && index % 2 === 1 && (row.worse ? "worse" : "");
    return el("td", { "data-label": labels[index + 1], "data-changed": changed }, value);
  });
  return el("tr", {}, el("th", { scope: "row" }, ...titles, note), ...cells);
}

/**
 * The number and the text of a question, or its name where it has no text yet.
 * @param {HTMLElement} root
 * @param {string} key
 */
function titleOf(root, key) {
  const card = cardOf(root, key);
  if (!card) return key;
  const words = textarea(card, "text").value.trim() || input(card, "name").value;
  const short = words.length > LONGEST_TEXT ? `${words.slice(0, LONGEST_TEXT).trimEnd()}…` : words;
  return `${find(card, "[data-number]", HTMLElement).textContent}. ${short}`;
}

/**
 * @param {HTMLElement} root
 * @param {SpendAnswer} answer
 * @returns {Before}
 */
function take(root, { rows, budget }) {
  /** @type {Before} */
  const before = { epsilons: new Map(), budget: null };
  for (const { fields } of rows) {
    for (const [key, epsilon] of Object.entries(fields)) {
      const field = epsilonOf(root, key);
      if (!field) continue;
      before.epsilons.set(key, field.value);
      fill(field, epsilon);
    }
  }
  const field = budgetOf(root);
  if (budget && field) {
    before.budget = field.value;
    fill(field, budget);
  }
  return before;
}

/**
 * @param {HTMLElement} root
 * @param {Before} before
 */
function restore(root, { epsilons, budget }) {
  for (const [key, epsilon] of epsilons) {
    const field = epsilonOf(root, key);
    if (field) fill(field, epsilon);
  }
  const field = budgetOf(root);
  if (budget !== null && field) fill(field, budget);
}

/**
 * Everything that listens for typing follows.
 * @param {HTMLInputElement} field
 * @param {string} value
 */
function fill(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** @param {HTMLElement} root @param {string} key */
const cardOf = (root, key) => liveCards(root).find((card) => card.id === key) ?? null;

/** @param {HTMLElement} root @param {string} key */
function epsilonOf(root, key) {
  const card = cardOf(root, key);
  return card && input(card, "epsilon");
}

/** @param {HTMLElement} root */
const budgetOf = (root) => seek(formOf(root), "[name=budget]", HTMLInputElement);

/**
 * @param {HTMLElement} dialog
 * @param {"problem" | "summary" | "total" | "confirm" | "exits"} part
 * @param {string} words
 */
function text(dialog, part, words) {
  find(dialog, `[data-spend-${part}]`, HTMLElement).textContent = words;
}

/**
 * @param {HTMLElement} root
 * @param {"taken" | "untaken"} name of the sentence
 */
function say(root, name) {
  find(root, "[data-status]", HTMLElement).textContent = root.dataset[name] ?? "";
}
