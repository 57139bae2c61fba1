/** The table of chance of one design as a heat map. */

import { drawInColour } from "../admin/figures.js";

// Width in pixels from which a number fits into a cell.
const LEGIBLE = 34;
// Under this width labels over the columns stand upright, for which the figure is made taller.
const UPRIGHT = 110;
const LETTER = 7;

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
  const width = (place.clientWidth - l - r) / x.length;
  if (width < LEGIBLE) delete shown.data[0].texttemplate;
  if (width < UPRIGHT) {
    const { ticktext } = shown.layout.xaxis;
    const taller = LETTER * Math.max(...ticktext.map((label) => label.length));
    shown.layout.margin.t += taller;
    shown.layout.height += taller;
    shown.layout.xaxis.tickangle = -90;
  }
  await drawInColour(place, shown, { ...settings, config: { ...settings.config, doubleClick: false } });
}
