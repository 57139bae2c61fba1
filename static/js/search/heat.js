/** The table of chance of one design as a heat map. */

import { drawInColour } from "../admin/figures.js";

// Width in pixels from which a number fits into a cell.
const LEGIBLE = 34;

/**
 * @param {HTMLElement} place
 * @param {import("../results/draw.js").Figure} figure
 * @param {import("../results/draw.js").FigureSettings} settings
 */
export async function drawHeat(place, figure, settings) {
  place.closest("figure").hidden = false;
  const shown = structuredClone(figure);
  const { l, r } = shown.layout.margin;
  const [{ x }] = shown.data;
  if ((place.clientWidth - l - r) / x.length < LEGIBLE) delete shown.data[0].texttemplate;
  await drawInColour(place, shown, { ...settings, config: { ...settings.config, doubleClick: false } });
}
