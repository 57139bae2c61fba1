// The second half of the summary's one inline module, after draw.js: it draws the figures of the file.
/** @param {string} id */
const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");
/** @type {FigureSettings} */
const settings = read("figure-settings");
/** @type {Record<string, Figure>} */
const figures = read("summary-figures");

/** @param {Where} [where] */
const drawSummary = (where) => drawFigures(document.querySelectorAll("[data-figure]"), figures, settings, where);

await drawSummary();
document.documentElement.dataset.drawn = "true";
redrawOnChange(drawSummary);
