/** Figures on the admin's pages, in the colours that are in force there. */

import { drawFigure } from "../results/draw.js";

/** The JSON that the server put into the element with this id. */
export const read = (id) => JSON.parse(document.getElementById(id).textContent);

/**
 * What a custom property shows at this moment. Those of the admin hold both colours, light and dark,
 * of which only a real element knows the one in force.
 */
function shownColour(property) {
  const probe = document.createElement("span");
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/** The same figure with every drawn colour as the page shows it. */
export function inColour(figure, properties) {
  const shown = new Map(
    Object.entries(properties).map(([drawn, property]) => [drawn, shownColour(property)]),
  );
  return JSON.parse(JSON.stringify(figure, (_key, value) => shown.get(value) ?? value));
}

/**
 * Draw or redraw in place.
 * @param {HTMLElement} place
 * @param {import("../results/draw.js").Figure} figure
 * @param {import("../results/draw.js").FigureSettings} settings
 */
export const drawInColour = (place, figure, settings) =>
  drawFigure(place, inColour(figure, settings.properties), {
    config: settings.config,
    properties: {},
  });

/** Calls `draw` whenever light becomes dark, by the system or by the admin's own switch. */
export function onColourChange(draw) {
  new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
