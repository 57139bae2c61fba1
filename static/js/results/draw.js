/** Draws a figure that the server made with Plotly. */

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

/**
 * Draw or redraw in place; a second call moves the marks of the first.
 * @param {HTMLElement} element
 * @param {Figure} figure
 * @param {FigureSettings} settings
 * @returns {Promise<Plot>}
 */
export async function drawFigure(element, figure, settings) {
  const { data, layout } = recolour(figure, settings.properties);
  return window.Plotly.react(element, data, { ...layout, autosize: true }, settings.config);
}
