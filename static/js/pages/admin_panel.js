/**
 * The figures of each epsilon and of the budget, computed by the server with the engine of the
 * estimates. One request for the whole page; a later one replaces it. For a long survey the server
 * answers what it can within a second, and gets another request for the remainder.
 */

import { CARD_PARTS, sharedBy } from "../admin/card_parts.js";
import { chosenDesign, followsProposal, showDevices } from "../admin/devices.js";
import { showSections } from "../admin/sections.js";
import { around, find, findAll, seek } from "../lib/find.js";
import { cardsOf, input, isRemoved, isSensitive, savedId, select, textarea } from "./admin_questions.js";

// Short enough to feel immediate, long enough that typing "1.25" asks once or twice.
const TYPING_PAUSE_MS = 80;
const NOTHING = "–";

/**
 * @param {HTMLElement} root the questions' section
 * @returns {{changed: () => void}}
 */
export function startPanels(root) {
  const form = formOf(root);
  let timer = 0;
  let lastBody = "";
  /** @type {AbortController | null} */
  let running = null;
  /**
   * The contents of each panel, by card: the server computes only the others.
   * @type {Map<string, string>}
   */
  const shown = new Map();

  async function ask() {
    const { plan, questions } = describe(form, root);
    const body = JSON.stringify({ plan, questions });
    if (body === lastBody) return;
    lastBody = body;
    running?.abort();
    running = new AbortController();
    const stamped = new Map(questions.map((question) => [question.key, stampOf(question, plan, questions)]));
    const request = { plan, questions: editedFirst(root, questions), stamped };
    // An answer about an earlier state of the page would undo what was chosen since then.
    const isStale = () => {
      const stale = JSON.stringify(describe(form, root)) !== body;
      if (stale) changed();
      return stale;
    };
    const onFailure = () => { lastBody = ""; shown.clear(); };
    await answer(root, form, request, shown, { signal: running.signal, isStale, onFailure });
  }

  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, TYPING_PAUSE_MS);
  };
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  return { changed };
}

/**
 * @typedef {object} PanelRequest
 * @property {Record<string, string>} plan
 * @property {PanelQuestion[]} questions in the order in which they are to be answered
 * @property {Map<string, string>} stamped by card, all that its figures follow from
 *
 * @typedef {object} Round
 * @property {AbortSignal} signal aborted by a later request
 * @property {() => boolean} isStale whether the page has changed meanwhile
 * @property {() => void} onFailure
 */

/** @param {HTMLElement} root */
function formOf(root) {
  const form = around(root, "form", HTMLFormElement);
  if (!form) throw new Error("The questions are outside a form");
  return form;
}

/**
 * @param {HTMLElement} root
 * @param {HTMLFormElement} form
 * @param {PanelRequest} request
 * @param {Map<string, string>} shown
 * @param {Round} round
 */
async function answer(root, form, { plan, questions, stamped }, shown, { signal, isStale, onFailure }) {
  try {
    for (let more = true; more; ) {
      const settled = [...stamped.keys()].filter((key) => shown.get(key) === stamped.get(key));
      const body = JSON.stringify({ ...plan, questions, settled });
      /** @type {PanelAnswer} */
      const reply = await post(root.dataset.panelUrl ?? "", body, form, signal);
      if (signal.aborted || isStale()) return;
      show(root, reply, settled);
      for (const [key, stamp] of stamped) {
        if (reply.panels[key]) shown.set(key, stamp);
        else if (!settled.includes(key)) shown.delete(key);
      }
      more = reply.more;
    }
  } catch (error) {
    if (signal.aborted) return;
    onFailure();
    showProblem(root, error instanceof RefusedError ? error.message : (root.dataset.offline ?? ""));
  }
}

/**
 * All that the figures of a question follow from; where it shares something, also the others.
 * @param {PanelQuestion} question
 * @param {Record<string, string>} plan
 * @param {PanelQuestion[]} questions
 */
function stampOf(question, plan, questions) {
  const { position: _position, ...own } = question;
  const others = question.shared ? questions.filter(({ shared }) => shared === question.shared) : [];
  return JSON.stringify([plan, own, others]);
}

/** A refusal with the server's own message. */
class RefusedError extends Error {}

/**
 * The question that is being edited first.
 * @param {HTMLElement} root
 * @param {PanelQuestion[]} questions
 */
function editedFirst(root, questions) {
  const edited = root.querySelector("[data-question]:focus-within")?.id;
  /** @param {PanelQuestion} question */
  const isEdited = ({ key }) => key === edited;
  return [...questions.filter(isEdited), ...questions.filter((question) => !isEdited(question))];
}

/**
 * @param {string} url
 * @param {string} body
 * @param {HTMLFormElement} form
 * @param {AbortSignal} signal
 * @returns {Promise<any>} typed by the declaration of what is done with it
 */
async function post(url, body, form, signal) {
  const token = find(form, "[name=csrfmiddlewaretoken]", HTMLInputElement).value;
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token };
  const response = await fetch(url, { method: "POST", body, headers, signal, redirect: "error" });
  if (response.status === 422) throw new RefusedError((await response.json()).error);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

/** @param {HTMLElement} root */
const liveCards = (root) =>
  cardsOf(find(root, "[data-cards]", HTMLElement)).filter((card) => !isRemoved(card));

/**
 * @param {HTMLElement} field
 * @returns {field is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement}
 */
const isField = (field) =>
  field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement;

/**
 * What the survey's own fields hold that the panel is computed from, by their names.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
function planOf(form) {
  const fields = findAll(form, "[data-plan]", HTMLElement).filter(isField);
  return Object.fromEntries(
    fields.map((field) => [field.name, field.type === "checkbox" ? (isTicked(field) ? "on" : "") : field.value]),
  );
}

/** @param {HTMLElement} field */
const isTicked = (field) => field instanceof HTMLInputElement && field.checked;

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} root
 * @returns {{plan: Record<string, string>, questions: PanelQuestion[]}}
 */
function describe(form, root) {
  return {
    plan: { ...planOf(form), survey: root.dataset.survey ?? "" },
    questions: liveCards(root).map((card, index) => ({
      key: card.id,
      id: savedId(card),
      position: String(index + 1),
      shared: sharedBy(card),
      ...Object.assign({}, ...CARD_PARTS.map(({ fieldsOf }) => fieldsOf(card))),
      required: input(card, "required").checked,
      kind: select(card, "kind").value,
      directed: checkedIn(card, "directed"),
      options: textarea(card, "options").value,
      randomized: isSensitive(card) ? "True" : "False",
      epsilon: input(card, "epsilon").value,
      prefer_not: input(card, "prefer_not").checked,
      design: chosenDesign(card),
      design_follows: followsProposal(card),
      ...settingsOf(card),
      physical_device: select(card, "physical_device").value,
    })),
  };
}

/**
 * @param {HTMLElement} card
 * @param {string} name of radio buttons
 */
const checkedIn = (card, name) =>
  seek(card, `[name="${card.id}-${name}"]:checked`, HTMLInputElement)?.value ?? "";

/**
 * The values typed for the devices beside epsilon, by the names of the fields.
 * @param {HTMLElement} card
 * @returns {Record<string, string | boolean>}
 */
function settingsOf(card) {
  const fields = [
    ...findAll(card, "[data-settings] input", HTMLInputElement),
    ...findAll(card, "[data-settings] select", HTMLSelectElement),
  ];
  return Object.fromEntries(fields.map((field) => [field.name.slice(card.id.length + 1), valueIn(field)]));
}

/** @param {HTMLInputElement | HTMLSelectElement} field */
const valueIn = (field) =>
  field instanceof HTMLInputElement && field.type === "checkbox" ? field.checked : field.value;

/**
 * @param {HTMLElement} root
 * @param {PanelAnswer} answer
 * @param {string[]} settled the cards that are up to date
 */
function show(root, { panels, budget, above, plan }, settled) {
  const pending = { texts: {}, error: root.dataset.pending ?? "" };
  for (const card of liveCards(root)) {
    if (!settled.includes(card.id)) showPanel(root, card, panels[card.id] ?? pending);
  }
  if (budget) showBudget(root, budget);
  for (const part of CARD_PARTS) part.show(root, above[part.name] ?? []);
  const line = find(root, "[data-plan-text]", HTMLElement);
  line.textContent = plan;
  line.hidden = !plan;
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} card
 * @param {PanelOfQuestion} contents
 */
function showPanel(root, card, contents) {
  const { texts, error } = contents;
  const panel = find(card, "[data-panel]", HTMLElement);
  find(panel, "[data-problem]", HTMLElement).textContent = error;
  // Figures of another epsilon must not be shown beside this one.
  for (const figure of findAll(panel, "[data-figure]", HTMLElement)) {
    const text = texts[figure.dataset.figure ?? ""];
    if (text !== undefined || !("stays" in figure.dataset)) figure.textContent = text ?? NOTHING;
  }
  const language = planOf(formOf(root)).language ?? "";
  if (language) find(panel, "[data-figure=frequencies]", HTMLElement).lang = language;
  showSections(panel, contents.sections ?? []);
  showDevices(card, contents, language);
}

/**
 * @param {HTMLElement} root
 * @param {BudgetAnswer} answer
 */
function showBudget(root, { total, budget, over, text, strength }) {
  const box = find(root, "[data-budget]", HTMLElement);
  const bar = find(root, "[data-budget-bar]", HTMLProgressElement);
  box.classList.toggle("budget--over", over);
  bar.max = Number(budget);
  bar.value = Math.min(Number(total), Number(budget));
  find(root, "[data-budget-text]", HTMLElement).textContent = text;
  find(root, "[data-budget-strength]", HTMLElement).textContent = strength;
}

/**
 * @param {HTMLElement} root
 * @param {string} text
 */
function showProblem(root, text) {
  const contents = { texts: {}, error: text };
  for (const card of liveCards(root)) showPanel(root, card, contents);
}
