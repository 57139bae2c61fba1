/** Figures on the admin's pages, in the colours that are in force there. */

import { around } from "../lib/find.js";
import { drawFigure } from "../results/draw.js";

/**
 * The computed colour of a custom property. Those of the admin hold both colours, light and dark, and
 * only an element in the page has the one in force.
 * @param {string} property
 */
function computedColour(property) {
  const probe = document.createElement("span");
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/**
 * The same figure with every drawn colour as the page shows it.
 * @param {Figure} figure
 * @param {Record<string, string>} properties drawn colour -> custom property
 * @returns {Figure}
 */
function recolour(figure, properties) {
  const colours = new Map(
    Object.entries(properties).map(([drawn, property]) => [drawn, computedColour(property)]),
  );
  return JSON.parse(JSON.stringify(figure, (_key, value) => colours.get(value) ?? value));
}

/**
 * Draw or redraw in element.
 * @param {HTMLElement} element
 * @param {Figure} figure
 * @param {FigureSettings} settings
 */
export const drawInColour = (element, figure, settings) =>
  drawFigure(element, recolour(figure, settings.properties), {
    config: settings.config,
    properties: {},
  });

/**
 * Shows the frame, which is hidden until something is drawn in it.
 * @param {Element} element
 */
export function showFrame(element) {
  const frame = around(element, "figure", HTMLElement);
  if (frame) frame.hidden = false;
}

/**
 * Calls `draw` whenever light becomes dark, by the system or by the admin's own switch.
 * @param {() => unknown} draw
 */
export function onColourChange(draw) {
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
