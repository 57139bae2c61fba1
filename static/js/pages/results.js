/** The results page: figures, their downloads, copying of tables, and keeping all of it fresh. */

import { around, find, findAll, read } from "../lib/find.js";
import { drawFigures, redrawOnChange } from "../results/draw.js";
import { savePicture } from "../results/picture.js";
import { SignedOutError, pollStatus } from "../results/poll.js";
import { refreshParts, replaceAll } from "../results/refresh.js";
import { copyTable } from "../results/table.js";

const root = find(document, "#results", HTMLElement);
/** @type {FigureSettings} */
const settings = read("figure-settings");
const { statusUrl = "", figuresUrl = "", source = "" } = root.dataset;
const { revision = "", stamp = "" } = root.dataset;
const announcement = find(document, "#announcement", HTMLElement);
const lateAfter = Number(root.dataset.lateAfter) * 1000;
const QUIET_MS = 15_000;

/** @type {Record<string, Figure>} */
let figures = {};
let pageStamp = stamp;
let drawnRevision = "";
let behindSince = 0;
let announcedAt = 0;

/** Shows the buttons that need this script. */
function showScripted() {
  for (const button of findAll(root, "[data-needs-script]", HTMLElement)) button.hidden = false;
}

/**
 * Draws the figures that can be seen; one in closed details is drawn when they open.
 * @param {Where} [where]
 */
function drawAll(where) {
  const seen = findAll(root, "[data-figure]", HTMLElement).filter((element) => !element.closest("details:not([open])"));
  return drawFigures(seen, figures, settings, where);
}

/** @param {string} revision */
async function loadFigures(revision) {
  if (!root.querySelector("[data-figure]")) return;
  const response = await fetch(figuresUrl, { cache: "no-cache" });
  if (!response.ok || response.redirected) throw new Error(`figures ${response.status}`);
  figures = (await response.json()).figures;
  await drawAll();
  drawnRevision = revision;
  root.dataset.drawn = revision;
}

async function refreshPage() {
  // With the query: an author may look at the results of others.
  const response = await fetch(location.pathname + location.search, { cache: "no-cache" });
  if (response.redirected) throw new SignedOutError(location.pathname);
  if (!response.ok) throw new Error(`page ${response.status}`);
  const newer = new DOMParser().parseFromString(await response.text(), "text/html");
  const body = find(newer, "#results", HTMLElement);
  // Once the page is of other readers or another wave, nothing of the old one may stay beside new numbers.
  if (body.dataset.source !== source) {
    location.reload();
    await new Promise(() => undefined); // until it is here
  }
  document.title = newer.title;
  if (refreshParts(root, body)) return;
  root.querySelectorAll(".js-plotly-plot").forEach((plot) => window.Plotly.purge(plot));
  replaceAll(root, body);
  showScripted();
}

/** For screen readers, at most once in 15 seconds. */
function announce() {
  if (performance.now() - announcedAt < QUIET_MS && announcedAt) return;
  announcedAt = performance.now();
  const summary = find(document, "#results-summary", HTMLElement);
  announcement.textContent = summary.textContent.trim().replace(/\s+/g, " ");
}

/**
 * @param {string} name
 * @param {boolean} visible
 */
function show(name, visible) {
  find(document, `#${name}`, HTMLElement).hidden = !visible;
}

/**
 * @param {ResultsStatus} status
 * @param {boolean} changed
 */
function watchWorker(status, changed) {
  if (!status.behind || changed) behindSince = 0;
  if (status.behind && !behindSince) behindSince = performance.now();
  const late = Boolean(behindSince) && performance.now() - behindSince > lateAfter;
  show("worker-late", late);
}

/**
 * @param {ResultsStatus | null} status
 * @param {unknown} error
 */
async function onAnswer(status, error) {
  show("signed-out", error instanceof SignedOutError);
  show("offline", Boolean(error) && !(error instanceof SignedOutError));
  if (!status) return error instanceof SignedOutError;
  const changed = status.revision !== drawnRevision;
  watchWorker(status, changed && Boolean(drawnRevision));
  if (status.stamp === pageStamp && !changed) return status.behind ?? false;
  await refreshPage();
  pageStamp = status.stamp;
  if (changed) {
    await loadFigures(status.revision);
    drawnRevision = status.revision;
    announce();
  }
  return true;
}

/** @type {Record<string, (button: HTMLButtonElement) => Promise<void>>} */
const actions = {
  async copy(button) {
    const { table = "", done = "" } = button.dataset;
    await copyTable(find(root, `#${CSS.escape(table)}`, HTMLTableElement));
    // A second click may come before the first has had its time.
    const label = button.dataset.label ??= button.textContent ?? "";
    button.textContent = done;
    announcement.textContent = done;
    setTimeout(() => { button.textContent = label; }, 2_000);
  },
  picture: (button) => savePicture(button, figures, root.dataset),
};

root.addEventListener("click", async (event) => {
  const button = around(event.target, "button[data-action]", HTMLButtonElement);
  if (!button) return;
  try {
    await actions[button.dataset.action ?? ""](button);
  } catch {
    show("action-failed", true);
  }
});

// It does not bubble. A summary without a figure inside has nothing to draw.
root.addEventListener("toggle", (event) => {
  const details = event.target;
  if (details instanceof HTMLDetailsElement && details.querySelector("[data-figure]")) drawAll();
}, { capture: true });
redrawOnChange(drawAll);
showScripted();
try {
  await loadFigures(revision);
  drawnRevision = revision;
} catch {
  show("offline", true);
}
pollStatus(statusUrl, onAnswer);
