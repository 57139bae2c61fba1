/** The figure of privacy against precision: drawn anew as points come in, its marks can be chosen. */

import { drawInColour, showFrame } from "../admin/figures.js";
import { picture, save } from "../results/picture.js";

const LINE = 24;
const RING = 22;
// Of a letter and of what stands around a name in the legend, and of the figure in a file.
const LETTER = 8;
const AROUND = 48;
const WIDTH = 800;

/** A finger drags the page, not a frame around marks. */
const coarse = () => matchMedia("(pointer: coarse)").matches;

/**
 * As many lines for the legend as it takes at this width; the server left room for one.
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
   * @param {HTMLElement} place
   * @param {FigureSettings} settings
   * @param {(key: string) => void} onPick called with the key of a mark that was clicked
   */
  constructor(place, settings, onPick) {
    this.place = place;
    this.settings = settings;
    this.onPick = onPick;
    /** @type {SearchFigures | null} */
    this.figures = null;
    this.measure = "mse";
    this.chosen = "";
    this.listens = false;
  }

  async draw() {
    if (!this.figures) return;
    showFrame(this.place);
    const plot = await drawInColour(this.place, this.#withRing(this.figures), this.settings);
    if (this.listens) return;
    this.listens = true;
    plot.on("plotly_click", ({ points }) => {
      const key = points.find((point) => point.customdata)?.customdata;
      if (key) this.onPick(key);
    });
  }

  /** Undo every zoom. */
  async whole() {
    if (!this.figures) return;
    const { xaxis, yaxis } = this.figures[this.measure].layout;
    await window.Plotly.relayout(this.place, { "xaxis.range": [...xaxis.range], "yaxis.range": [...yaxis.range] });
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
    makeRoom(figure, this.place.clientWidth);
    figure.layout.dragmode = coarse() ? false : "zoom";
    const found = this.#find(figure);
    if (!found) return figure;
    const { properties } = this.settings;
    const ink = Object.keys(properties).find((colour) => properties[colour] === "--ink");
    figure.data.push({
      type: "scatter",
      ...found,
      mode: "markers",
      marker: { symbol: "circle-open", size: RING, color: ink, line: { width: 3 } },
      hoverinfo: "skip",
      showlegend: false,
    });
    return figure;
  }

  /** @param {Figure} figure */
  #find(figure) {
    for (const { customdata = [], x = [], y = [] } of figure.data) {
      const place = customdata.indexOf(this.chosen);
      if (place >= 0) return { x: [x[place]], y: [y[place]] };
    }
    return null;
  }
}
