/** The figure of privacy against precision, redrawn as points arrive; a click chooses a mark. */

import { drawInColour, showFrame } from "../admin/figures.js";
import { picture, save } from "../results/picture.js";

const LINE = 24;
const RING = 22;
// Pixels of a letter and around a name in the legend, and the width of the figure in a file.
const LETTER = 8;
const AROUND = 48;
const WIDTH = 800;

/** On a touch screen a drag scrolls the page and does not zoom. */
const isCoarse = () => matchMedia("(pointer: coarse)").matches;

/**
 * Makes room for the lines of the legend at this width; the server left room for one.
 * @param {Figure} figure
 * @param {number} width
 */
function makeRoom({ data, layout }, width) {
  const names = data.filter((trace) => trace.showlegend !== false).map(({ name = "" }) => name.length);
  const entry = LETTER * Math.max(0, ...names) + AROUND;
  const room = width - layout.margin.l - layout.margin.r;
  const lines = Math.ceil(names.length / Math.max(1, Math.floor(room / entry)));
  layout.margin.b += LINE * (lines - 1);
  layout.height += LINE * (lines - 1);
}

export class Front {
  /**
   * @param {HTMLElement} element
   * @param {FigureSettings} settings
   * @param {(key: string) => void} onPick called with the key of a mark that was clicked
   */
  constructor(element, settings, onPick) {
    this.element = element;
    this.settings = settings;
    this.onPick = onPick;
    /** @type {SearchFigures | null} */
    this.figures = null;
    this.measure = "mse";
    this.chosen = "";
    this.listening = false;
  }

  async draw() {
    if (!this.figures) return;
    showFrame(this.element);
    const plot = await drawInColour(this.element, this.#withRing(this.figures), this.settings);
    if (this.listening) return;
    this.listening = true;
    plot.on("plotly_click", ({ points }) => {
      const key = points.find((point) => point.customdata)?.customdata;
      if (key) this.onPick(key);
    });
  }

  /** Undo every zoom. */
  async resetZoom() {
    if (!this.figures) return;
    const { xaxis, yaxis } = this.figures[this.measure].layout;
    await window.Plotly.relayout(this.element, { "xaxis.range": [...xaxis.range], "yaxis.range": [...yaxis.range] });
  }

  /**
   * Hand the figure, in light colours and with its source, to the browser's downloads.
   * @param {"svg" | "png"} format
   * @param {string} name
   * @param {string} source
   */
  async save(format, name, source) {
    if (!this.figures) return;
    const figure = structuredClone(this.figures[this.measure]);
    makeRoom(figure, WIDTH);
    const { layout } = figure;
    layout.annotations ??= [];
    // The line with the source goes under the legend.
    layout.legend.y = LINE / (layout.height + 3 * LINE);
    save(await picture(figure, format, source), `${name}-${this.measure}.${format}`);
  }

  /** @param {SearchFigures} figures */
  #withRing(figures) {
    const figure = structuredClone(figures[this.measure]);
    makeRoom(figure, this.element.clientWidth);
    figure.layout.dragmode = isCoarse() ? false : "zoom";
    const point = this.#chosenPoint(figure);
    if (!point) return figure;
    const { properties } = this.settings;
    const ink = Object.keys(properties).find((colour) => properties[colour] === "--ink");
    figure.data.push({
      type: "scatter",
      ...point,
      mode: "markers",
      marker: { symbol: "circle-open", size: RING, color: ink, line: { width: 3 } },
      hoverinfo: "skip",
      showlegend: false,
    });
    return figure;
  }

  /** @param {Figure} figure */
  #chosenPoint(figure) {
    for (const { customdata = [], x = [], y = [] } of figure.data) {
      const index = customdata.indexOf(this.chosen);
      if (index >= 0) return { x: [x[index]], y: [y[index]] };
    }
    return null;
  }
}
