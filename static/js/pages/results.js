/** The results page: figures, their downloads, copying of tables, and keeping all of it fresh. */

import { drawFigure, redrawOnChange } from "../results/draw.js";
import { picture, save } from "../results/picture.js";
import { SignedOutError, pollStatus } from "../results/poll.js";
import { refreshParts, replaceAll } from "../results/refresh.js";
import { copyTable } from "../results/table.js";

const root = document.getElementById("results");
const settings = JSON.parse(document.getElementById("figure-settings").textContent);
const { statusUrl, figuresUrl, source, slug } = root.dataset;
const lateAfter = Number(root.dataset.lateAfter) * 1000;
const QUIET = 15_000;

let figures = {};
let shown = root.dataset.stamp;
let drawnRevision = "";
let behindSince = 0;
let announcedAt = 0;

/** Buttons that do nothing without this script are not there without it. */
function showScripted() {
  for (const button of root.querySelectorAll("[data-needs-script]")) button.hidden = false;
}

async function drawAll(where) {
  for (const element of root.querySelectorAll("[data-figure]")) {
    const figure = figures[element.dataset.figure];
    element.closest("figure").hidden = !figure;
    if (figure) await drawFigure(element, figure, settings, where);
  }
}

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
  const response = await fetch(location.pathname, { cache: "no-cache" });
  if (response.redirected) throw new SignedOutError(location.pathname);
  if (!response.ok) throw new Error(`page ${response.status}`);
  const newer = new DOMParser().parseFromString(await response.text(), "text/html");
  const body = newer.getElementById("results");
  document.title = newer.title;
  if (refreshParts(root, body)) return;
  root.querySelectorAll(".js-plotly-plot").forEach((plot) => window.Plotly.purge(plot));
  replaceAll(root, body);
  showScripted();
}

/** Say it once in a while: a page that talks at every response would be no help. */
function announce() {
  if (performance.now() - announcedAt < QUIET && announcedAt) return;
  announcedAt = performance.now();
  document.getElementById("announcement").textContent =
    document.getElementById("results-summary").textContent.trim().replace(/\s+/g, " ");
}

function show(name, visible) {
  document.getElementById(name).hidden = !visible;
}

function watchWorker(status, moved) {
  if (!status.behind || moved) behindSince = 0;
  if (status.behind && !behindSince) behindSince = performance.now();
  const late = Boolean(behindSince) && performance.now() - behindSince > lateAfter;
  show("worker-late", late);
}

async function onAnswer(status, error) {
  show("signed-out", error instanceof SignedOutError);
  show("offline", Boolean(error) && !(error instanceof SignedOutError));
  if (error) return error instanceof SignedOutError;
  const moved = status.revision !== drawnRevision;
  watchWorker(status, moved && Boolean(drawnRevision));
  if (status.stamp === shown && !moved) return status.behind;
  await refreshPage();
  shown = status.stamp;
  if (moved) {
    await loadFigures(status.revision);
    drawnRevision = status.revision;
    announce();
  }
  return true;
}

const actions = {
  async copy(button) {
    await copyTable(root.querySelector(`#${CSS.escape(button.dataset.table)}`));
    const label = button.textContent;
    button.textContent = button.dataset.done;
    document.getElementById("announcement").textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2_000);
  },
  async picture(button) {
    const { key, format } = button.dataset;
    const blob = await picture(figures[key], format, source);
    save(blob, `${slug}-${key.replace(/[^a-z0-9_]+/g, "-")}.${format}`);
  },
};

root.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-action]");
  if (!button) return;
  try {
    await actions[button.dataset.action](button);
  } catch {
    show("action-failed", true);
  }
});

redrawOnChange(drawAll);
showScripted();
try {
  await loadFigures(root.dataset.revision);
  drawnRevision = root.dataset.revision;
} catch {
  show("offline", true);
}
pollStatus(statusUrl, onAnswer);
