/**
 * What each epsilon means, and what all of them use of the budget, computed by the server with
 * the same engine that makes the estimates. One request for the whole page; a later one wins.
 * Of a long survey the server answers what it can within a second, and is asked for the rest.
 */

import { chosenDesign, followsProposal, showDevices } from "../admin/devices.js";
import { cardsOf, input, isRemoved, isSensitive } from "./admin_questions.js";

// Short enough to feel immediate, long enough that typing "1.25" asks once or twice.
const REST_MS = 80;
const NOTHING = "–";

/**
 * @param {HTMLElement} root the questions' section
 * @returns {{changed: () => void}}
 */
export function startPanels(root) {
  const form = root.closest("form");
  let timer = 0;
  let asked = "";
  let running = null;
  // What the panels now show, by card: only what differs is computed anew.
  const shown = new Map();

  async function ask() {
    const { plan, questions } = described(form, root);
    const body = JSON.stringify({ plan, questions });
    if (body === asked) return;
    asked = body;
    running?.abort();
    running = new AbortController();
    const stamped = questions.map((question) => [question.key, JSON.stringify([plan, question])]);
    const request = { plan, questions: editedFirst(root, questions), stamped };
    // An answer about an earlier state of the page would undo what was chosen since then.
    const overtaken = () => {
      const gone = JSON.stringify(described(form, root)) !== body;
      if (gone) changed();
      return gone;
    };
    const failed = () => { asked = ""; shown.clear(); };
    await answer(root, form, request, shown, { signal: running.signal, overtaken, failed });
  }

  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, REST_MS);
  };
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  return { changed };
}

async function answer(root, form, { plan, questions, stamped }, shown, { signal, overtaken, failed }) {
  try {
    for (let more = true; more; ) {
      const settled = stamped.filter(([key, stamp]) => shown.get(key) === stamp).map(([key]) => key);
      const body = JSON.stringify({ ...plan, questions, settled });
      const told = await post(root.dataset.panelUrl, body, form, signal);
      if (signal.aborted || overtaken()) return;
      show(root, told, settled);
      for (const [key, stamp] of stamped) {
        if (told.panels[key]) shown.set(key, stamp);
        else if (!settled.includes(key)) shown.delete(key);
      }
      more = told.more;
    }
  } catch (error) {
    if (error.name === "AbortError") return;
    failed();
    showProblem(root, error.told ?? root.dataset.offline);
  }
}

/** What is being typed is not to wait for the others. */
function editedFirst(root, questions) {
  const edited = root.querySelector("[data-question]:focus-within")?.id;
  const isEdited = ({ key }) => key === edited;
  return [...questions.filter(isEdited), ...questions.filter((question) => !isEdited(question))];
}

async function post(url, body, form, signal) {
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const response = await fetch(url, { method: "POST", body, headers, signal, redirect: "error" });
  if (response.status === 422) throw Object.assign(new Error("refused"), { told: (await response.json()).error });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

const liveCards = (root) =>
  cardsOf(root.querySelector("[data-cards]")).filter((card) => !isRemoved(card));

function described(form, root) {
  const value = (name) => form.elements.namedItem(name)?.value ?? "";
  const names = ["budget", "planned_n", "language"];
  return {
    plan: Object.fromEntries(names.map((name) => [name, value(name)])),
    questions: liveCards(root).map((card) => ({
      key: card.id,
      id: input(card, "id")?.value ?? "",
      kind: input(card, "kind").value,
      options: input(card, "options").value,
      randomized: isSensitive(card) ? "True" : "False",
      epsilon: input(card, "epsilon").value,
      prefer_not: input(card, "prefer_not").checked,
      design: chosenDesign(card),
      design_follows: followsProposal(card),
      delta: input(card, "delta").value,
      prevalence: input(card, "prevalence").value,
      delta_understood: input(card, "delta_understood").checked,
      own_device: input(card, "own_device").value,
    })),
  };
}

function show(root, { panels, budget }, settled) {
  const pending = { texts: {}, error: root.dataset.pending };
  for (const card of liveCards(root)) {
    if (!settled.includes(card.id)) showPanel(root, card, panels[card.id] ?? pending);
  }
  if (budget) showBudget(root, budget);
}

function showPanel(root, card, told) {
  const { texts, error } = told;
  const panel = card.querySelector("[data-panel]");
  panel.querySelector("[data-problem]").textContent = error;
  // Figures of another epsilon must not stand beside this one.
  for (const figure of panel.querySelectorAll("[data-figure]")) {
    const text = texts[figure.dataset.figure];
    if (text !== undefined || !("stays" in figure.dataset)) figure.textContent = text ?? NOTHING;
  }
  const language = root.closest("form").elements.namedItem("language")?.value;
  if (language) panel.querySelector("[data-figure=odds]").lang = language;
  showDevices(card, told, language);
}

function showBudget(root, { total, budget, over, text, strength }) {
  const box = root.querySelector("[data-budget]");
  const bar = root.querySelector("[data-budget-bar]");
  box.classList.toggle("budget--over", over);
  bar.max = Number(budget);
  bar.value = Math.min(Number(total), Number(budget));
  root.querySelector("[data-budget-text]").textContent = text;
  root.querySelector("[data-budget-strength]").textContent = strength;
}

function showProblem(root, text) {
  const told = { texts: {}, error: text };
  for (const card of liveCards(root)) showPanel(root, card, told);
}
