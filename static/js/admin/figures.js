/** Figures on the admin's pages, in the colours that are in force there. */

import { around } from "../lib/find.js";
import { drawFigure } from "../results/draw.js";

/**
 * What a custom property shows at this moment. Those of the admin hold both colours, light and dark,
 * of which only a real element knows the one in force.
 * @param {string} property
 */
function shownColour(property) {
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
export function inColour(figure, properties) {
  const shown = new Map(
    Object.entries(properties).map(([drawn, property]) => [drawn, shownColour(property)]),
  );
  return JSON.parse(JSON.stringify(figure, (_key, value) => shown.get(value) ?? value));
}

/**
 * Draw or redraw in place.
 * @param {HTMLElement} place
 * @param {Figure} figure
 * @param {FigureSettings} settings
 */
export const drawInColour = (place, figure, settings) =>
  drawFigure(place, inColour(figure, settings.properties), {
    config: settings.config,
    properties: {},
  });

/**
 * A figure is hidden as long as nothing is drawn in it.
 * @param {Element} place
 */
export function showFrame(place) {
  const frame = around(place, "figure", HTMLElement);
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
