/**
 * Draws a figure that the server made with Plotly. No imports: the downloadable report carries this
 * text inside itself.
 *
 * @typedef {{data: object[], layout: object}} Figure
 * @typedef {{config: object, properties: Record<string, string>}} FigureSettings
 */

/**
 * The same figure in the colours of the page, light or dark.
 * @param {Figure} figure
 * @param {Record<string, string>} properties drawn colour -> custom property
 * @returns {Figure}
 */
export function recoloured(figure, properties) {
  const style = getComputedStyle(document.documentElement);
  const swap = (key, value) =>
    Object.hasOwn(properties, value) && typeof value === "string"
      ? style.getPropertyValue(properties[value]).trim() || value
      : value;
  return JSON.parse(JSON.stringify(figure, swap));
}

/**
 * Draw or redraw in place; a second call moves the marks of the first.
 * @param {HTMLElement} element
 * @param {Figure} figure
 * @param {FigureSettings} settings
 */
export async function drawFigure(element, figure, settings) {
  const { data, layout } = recoloured(figure, settings.properties);
  await window.Plotly.react(element, data, layout, settings.config);
}
