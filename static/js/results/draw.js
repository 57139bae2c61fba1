/**
 * Draws a figure that the server made with Plotly. No imports: the downloadable summary has this
 * text inside itself.
 */

/**
 * The same figure in the colours of the page, light or dark.
 * @param {Figure} figure
 * @param {Record<string, string>} properties drawn colour -> custom property
 * @returns {Figure}
 */
function recolour(figure, properties) {
  const style = getComputedStyle(document.documentElement);
  /** @type {(key: string, value: unknown) => unknown} */
  const swap = (_key, value) =>
    typeof value === "string" && Object.hasOwn(properties, value)
      ? style.getPropertyValue(properties[value]).trim() || value
      : value;
  return JSON.parse(JSON.stringify(figure, swap));
}

// Pixels that fit between the margins of a sheet of A4.
const PAPER = 620;

const PAPER_SIZE = { width: PAPER, autosize: false };
const SCREEN_SIZE = { autosize: true };

/**
 * Draw or redraw in place; a second call moves the marks of the first.
 * @param {HTMLElement} element
 * @param {Figure} figure
 * @param {FigureSettings} settings
 * @param {Where} [where]
 * @returns {Promise<Plot>}
 */
export async function drawFigure(element, figure, settings, { paper = false } = {}) {
  const { data, layout } = paper ? figure : recolour(figure, settings.properties);
  const size = paper ? PAPER_SIZE : SCREEN_SIZE;
  return window.Plotly.react(element, data, { ...layout, ...size }, settings.config);
}

/**
 * Shows the frames of elements that have a figure, and draws these.
 * @param {Iterable<Element>} elements
 * @param {Record<string, Figure>} figures by the names that the elements have for them
 * @param {FigureSettings} settings
 * @param {Where} [where]
 */
export async function drawFigures(elements, figures, settings, where) {
  for (const element of elements) {
    if (!(element instanceof HTMLElement)) continue;
    const figure = figures[element.dataset.figure ?? ""];
    const frame = element.closest("figure");
    if (frame) frame.hidden = !figure;
    if (figure) await drawFigure(element, figure, settings, where);
  }
}

/**
 * Calls `draw` whenever the figures have to look different: in the dark, on paper, and back.
 * @param {(where?: Where) => unknown} draw
 */
export function redrawOnChange(draw) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw());
  window.addEventListener("beforeprint", () => draw({ paper: true }));
  // Immediately, the page would still have the size of the sheet.
  window.addEventListener("afterprint", () => setTimeout(() => draw()));
}
