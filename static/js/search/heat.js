/** The probabilities of one design as a heat map. */

import { drawInColour, showFrame } from "../admin/figures.js";

// Pixels: the least width of a cell with a number.
const LEGIBLE = 34;
// In narrower columns the labels are vertical, and the figure is made taller.
const UPRIGHT = 110;
const LETTER = 7;

/**
 * @param {HTMLElement} element
 * @param {Figure} figure
 * @param {FigureSettings} settings
 */
export async function drawHeat(element, figure, settings) {
  showFrame(element);
  const copy = structuredClone(figure);
  const { l, r } = copy.layout.margin;
  const [table] = copy.data;
  const width = (element.clientWidth - l - r) / (table.x?.length ?? 1);
  if (width < LEGIBLE) delete table.texttemplate;
  if (width < UPRIGHT) {
    const { ticktext } = copy.layout.xaxis;
    const taller = LETTER * Math.max(...ticktext.map((label) => label.length));
    copy.layout.margin.t += taller;
    copy.layout.height += taller;
    copy.layout.xaxis.tickangle = -90;
  }
  await drawInColour(element, copy, { ...settings, config: { ...settings.config, doubleClick: false } });
}
