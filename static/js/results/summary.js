// The second half of the summary's one inline module, after draw.js: it draws the figures of the file.
/** @param {string} id */
const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
/** @type {FigureSettings} */
const settings = read("figure-settings");
/** @type {Record<string, Figure>} */
const figures = read("summary-figures");

/** @param {Where} [where] */
async function drawSummary(where) {
  for (const element of document.querySelectorAll("[data-figure]")) {
    if (!(element instanceof HTMLElement)) continue;
    const figure = figures[element.dataset.figure ?? ""];
    const frame = element.closest("figure");
    if (figure && frame) {
      frame.hidden = false;
      await drawFigure(element, figure, settings, where);
    }
  }
}

await drawSummary();
document.documentElement.dataset.drawn = "true";
redrawOnChange(drawSummary);
