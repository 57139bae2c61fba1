/** The table of chance of one design as a heat map. */

import { drawInColour, showFrame } from "../admin/figures.js";

// Width in pixels from which a number fits into a cell.
const LEGIBLE = 34;
// Under this width labels over the columns stand upright, for which the figure is made taller.
const UPRIGHT = 110;
const LETTER = 7;

/**
 * @param {HTMLElement} place
 * @param {Figure} figure
 * @param {FigureSettings} settings
 */
export async function drawHeat(place, figure, settings) {
  showFrame(place);
  const shown = structuredClone(figure);
  const { l, r } = shown.layout.margin;
  const [table] = shown.data;
  const width = (place.clientWidth - l - r) / (table.x?.length ?? 1);
  if (width < LEGIBLE) delete table.texttemplate;
  if (width < UPRIGHT) {
    const { ticktext } = shown.layout.xaxis;
    const taller = LETTER * Math.max(...ticktext.map((label) => label.length));
    shown.layout.margin.t += taller;
    shown.layout.height += taller;
    shown.layout.xaxis.tickangle = -90;
  }
  await drawInColour(place, shown, { ...settings, config: { ...settings.config, doubleClick: false } });
}
