/** Figures and the results page. Types only: no page loads this. */

/** A figure that the server made with Plotly. */
interface Figure {
  data: Trace[];
  layout: Layout;
}

/** The properties of a trace that these scripts read. */
interface Trace {
  name?: string;
  x?: unknown[];
  y?: unknown[];
  /** Of a search: the key of each mark. */
  customdata?: string[];
  showlegend?: boolean;
  texttemplate?: string;
  [property: string]: unknown;
}

/** The properties of a layout that these scripts read; the server sets all of them. */
interface Layout {
  height: number;
  width?: number;
  margin: { t: number; b: number; l: number; r: number };
  meta: { title: string; source: string };
  annotations?: object[];
  legend: { y: number; [property: string]: unknown };
  xaxis: Axis;
  yaxis: Axis;
  dragmode?: string | false;
  [property: string]: unknown;
}

interface Axis {
  range: number[];
  ticktext: string[];
  tickangle?: number;
  [property: string]: unknown;
}

interface FigureSettings {
  /** The configuration of Plotly.js. */
  config: Record<string, unknown>;
  /** Drawn colour -> custom property. */
  properties: Record<string, string>;
}

/** An element that holds a plot: Plotly.js adds `on`. */
interface Plot extends HTMLElement {
  on(event: "plotly_click", listener: (event: { points: { customdata?: string }[] }) => void): void;
}

/** The part of Plotly.js that is used here. */
interface PlotlyLibrary {
  react(element: HTMLElement, data: Trace[], layout: object, config: object): Promise<Plot>;
  relayout(element: HTMLElement, change: Record<string, unknown>): Promise<Plot>;
  toImage(figure: Figure, format: { width: number; height: number; format: string }): Promise<string>;
  purge(element: Element): void;
}

declare var Plotly: PlotlyLibrary;

/** The answer of status.json. */
interface ResultsStatus {
  stamp: string;
  revision: string;
  /** Only for the author: whether responses wait for the worker. */
  behind?: boolean;
}

/** The answer about a search. */
interface SearchStatus {
  stamp: string;
  finished: boolean;
  announcement: string;
  /** Markup by name. */
  parts: Record<string, string>;
  figures: SearchFigures | null;
}

/** The same points on two vertical axes. */
type SearchFigures = Record<string, Figure>;

/** The answer about one point of a search. */
interface SearchPoint {
  key: string;
  html: string;
  figure: Figure;
}
