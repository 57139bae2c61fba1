// The second half of the report's one inline module, after draw.js: it draws what the file carries.
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const settings = read("figure-settings");
const figures = read("report-figures");

async function drawReport() {
  for (const element of document.querySelectorAll("[data-figure]")) {
    const figure = figures[element.dataset.figure];
    if (figure) {
      element.closest("figure").hidden = false;
      await drawFigure(element, figure, settings);
    }
  }
}

/** A sheet is narrower than a screen, and Plotly's size is a number of pixels. */
function resizeAll(width) {
  for (const element of document.querySelectorAll(".js-plotly-plot")) {
    window.Plotly.relayout(element, width ? { width, autosize: false } : { width: null, autosize: true });
  }
}

await drawReport();
document.documentElement.dataset.drawn = "true";
window.addEventListener("beforeprint", () => resizeAll(620));
window.addEventListener("afterprint", () => resizeAll(0));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawReport);
