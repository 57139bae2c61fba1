/** The results page: finding, zooming into figures, copying tables, and keeping all of it fresh. */

import { around, find, findAll, read } from "../lib/find.js";
import { changesText, numbersOf } from "../results/changes.js";
import { filterContents, openTarget, toggleBrief } from "../results/contents.js";
import { offerCopies } from "../results/copying.js";
import { explorer } from "../results/explore.js";
import { SignedOutError, pollStatus } from "../results/poll.js";
import { refreshParts, replaceAll } from "../results/refresh.js";

const root = find(document, "#results", HTMLElement);
/** @type {FigureSettings} */
const settings = read("figure-settings");
const { statusUrl = "", figuresUrl = "", source = "", plotly = "" } = root.dataset;
const { revision = "", stamp = "" } = root.dataset;
const announcement = find(document, "#announcement", HTMLElement);
const lateAfter = Number(root.dataset.lateAfter) * 1000;
const QUIET_MS = 15_000;

/** @type {Record<string, Figure> | null} */
let figures = null;
let figuresRevision = "";
let pageStamp = stamp;
let shownRevision = revision;
let behindSince = 0;
let announcedAt = 0;

/** Shows the buttons that need this script. */
function showScripted() {
  for (const button of findAll(root, "[data-needs-script]", HTMLElement)) button.hidden = false;
}

/** @returns {Promise<Record<string, Figure>>} the figures of what the page shows now */
async function loadFigures() {
  if (figures && figuresRevision === shownRevision) return figures;
  const wanted = shownRevision;
  const response = await fetch(figuresUrl, { cache: "no-cache" });
  if (!response.ok || response.redirected) throw new Error(`figures ${response.status}`);
  figures = (await response.json()).figures;
  figuresRevision = wanted;
  return figures ?? {};
}

const figureDialog = explorer({ settings, library: plotly, page: root.dataset }, loadFigures, () => show("action-failed", true));

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
  if (!refreshParts(root, body)) {
    replaceAll(root, body);
    showScripted();
  }
  filterContents(root);
}

/**
 * Says what has changed, over the page, so that nothing on it moves.
 * @param {Map<string, string>} before
 */
function tellChanges(before) {
  const line = find(document, "#what-changed", HTMLElement);
  line.textContent = changesText(line.dataset.words ?? "", before, numbersOf(root));
  line.hidden = false;
}

/** For screen readers, at most once in 15 seconds. */
function announce() {
  if (performance.now() - announcedAt < QUIET_MS && announcedAt) return;
  announcedAt = performance.now();
  const said = ["#results-summary", "#what-changed"].map((id) => find(document, id, HTMLElement).textContent);
  announcement.textContent = said.join(" ").trim().replace(/\s+/g, " ");
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
  const changed = status.revision !== shownRevision;
  watchWorker(status, changed);
  if (status.stamp === pageStamp && !changed) return status.behind ?? false;
  const before = numbersOf(root);
  await refreshPage();
  pageStamp = status.stamp;
  if (changed) {
    shownRevision = status.revision;
    root.dataset.drawn = shownRevision;
    tellChanges(before);
    announce();
    await figureDialog.redraw().catch(() => show("action-failed", true));
  }
  return true;
}

/** @type {Record<string, (button: HTMLButtonElement) => Promise<void>>} */
const actions = {
  explore: ({ dataset: { key = "", title = "" } }) => figureDialog.open(key, title),
  async brief(button) { toggleBrief(root, button); },
};

root.addEventListener("click", async (event) => {
  const button = around(event.target, "button[data-action]", HTMLButtonElement);
  const action = actions[button?.dataset.action ?? ""];
  if (!button || !action) return;
  try {
    await action(button);
  } catch {
    show("action-failed", true);
  }
});

root.addEventListener("input", () => filterContents(root));
window.addEventListener("hashchange", () => openTarget(root));
showScripted();
offerCopies(root);
openTarget(root);
root.dataset.drawn = shownRevision;
pollStatus(statusUrl, onAnswer);
