/**
 * What each epsilon means, and what all of them use of the budget, computed by the server with
 * the same engine that makes the estimates. One request for the whole page; a later one wins.
 */

import { chosenDesign, showDevices } from "../admin/devices.js";
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

  async function ask() {
    const body = JSON.stringify(described(form, root));
    if (body === asked) return;
    asked = body;
    running?.abort();
    running = new AbortController();
    await answer(root, form, body, running.signal, () => (asked = ""));
  }

  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, REST_MS);
  };
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  return { changed };
}

async function answer(root, form, body, signal, failed) {
  try {
    const told = await post(root.dataset.panelUrl, body, form, signal);
    if (!signal.aborted) show(root, told);
  } catch (error) {
    if (error.name === "AbortError") return;
    failed();
    showOffline(root);
  }
}

async function post(url, body, form, signal) {
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const response = await fetch(url, { method: "POST", body, headers, signal, redirect: "error" });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

const liveCards = (root) =>
  cardsOf(root.querySelector("[data-cards]")).filter((card) => !isRemoved(card));

function described(form, root) {
  const value = (name) => form.elements.namedItem(name)?.value ?? "";
  return {
    budget: value("budget"),
    planned_n: value("planned_n"),
    language: value("language"),
    questions: liveCards(root).map((card) => ({
      key: card.id,
      kind: input(card, "kind").value,
      options: input(card, "options").value,
      randomized: isSensitive(card) ? "True" : "False",
      epsilon: input(card, "epsilon").value,
      prefer_not: input(card, "prefer_not").checked,
      design: chosenDesign(card),
      delta: input(card, "delta").value,
      prevalence: input(card, "prevalence").value,
      delta_understood: input(card, "delta_understood").checked,
      own_device: input(card, "own_device").value,
    })),
  };
}

function show(root, { panels, budget }) {
  for (const card of liveCards(root)) {
    if (panels[card.id]) showPanel(root, card, panels[card.id]);
  }
  if (budget) showBudget(root, budget);
}

function showPanel(root, card, told) {
  const { texts, error } = told;
  const panel = card.querySelector("[data-panel]");
  panel.querySelector("[data-problem]").textContent = error;
  // Figures of another epsilon must not stand beside this one.
  for (const figure of panel.querySelectorAll("[data-figure]")) {
    figure.textContent = texts[figure.dataset.figure] ?? NOTHING;
  }
  const language = root.closest("form").elements.namedItem("language")?.value;
  if (language) panel.querySelector("[data-figure=odds]").lang = language;
  showDevices(card, told, language);
}

function showBudget(root, { total, budget, over, text }) {
  const box = root.querySelector("[data-budget]");
  const bar = root.querySelector("[data-budget-bar]");
  box.classList.toggle("budget--over", over);
  bar.max = Number(budget);
  bar.value = Math.min(Number(total), Number(budget));
  root.querySelector("[data-budget-text]").textContent = text;
}

function showOffline(root) {
  const told = { texts: {}, error: root.dataset.offline };
  for (const card of liveCards(root)) showPanel(root, card, told);
}
