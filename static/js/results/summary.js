// The second half of the summary's one inline module, after draw.js: it draws what the file carries.
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const settings = read("figure-settings");
const figures = read("summary-figures");

async function drawSummary(where) {
  for (const element of document.querySelectorAll("[data-figure]")) {
    const figure = figures[element.dataset.figure];
    if (figure) {
      element.closest("figure").hidden = false;
      await drawFigure(element, figure, settings, where);
    }
  }
}

await drawSummary();
document.documentElement.dataset.drawn = "true";
redrawOnChange(drawSummary);
