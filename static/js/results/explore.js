/** A figure in a dialog, to zoom into and to save: Plotly comes when somebody reaches for it. */

import { around, find } from "../lib/find.js";
import { drawFigure } from "./draw.js";
import { savePicture } from "./picture.js";

/**
 * @param {{settings: FigureSettings, library: string, page: DOMStringMap}} about the address of
 *     Plotly, and the slug and the source of the page
 * @param {() => Promise<Record<string, Figure>>} load the figures of the page
 * @param {() => void} failed
 * @returns {{open: (key: string, title: string) => Promise<void>, redraw: () => Promise<void>}}
 */
export function explorer({ settings, library, page }, load, failed) {
  const dialog = find(document, "#explorer", HTMLDialogElement);
  const area = find(dialog, "#explorer-plot", HTMLElement);
  const waits = find(dialog, "#explorer-waits", HTMLElement);
  /** @type {Record<string, Figure>} */
  let figures = {};
  let shown = "";

  async function redraw() {
    if (!dialog.open) return;
    figures = await load();
    const figure = figures[shown];
    if (!figure) throw new Error(shown);
    await drawFigure(area, figure, settings);
    waits.hidden = true;
    dialog.dataset.drawn = shown;
  }

  dialog.addEventListener("click", async (event) => {
    const button = around(event.target, "button", HTMLButtonElement);
    if (!button) return;
    if ("close" in button.dataset) {
      dialog.close();
      return;
    }
    try {
      await savePicture({ key: shown, format: button.dataset.format }, figures, page);
    } catch {
      dialog.close();
      failed();
    }
  });
  // Its size depends on the window, its colours on the reader's scheme.
  dialog.addEventListener("close", () => {
    delete dialog.dataset.drawn;
    if (window.Plotly) window.Plotly.purge(area);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { redraw().catch(failed); });

  return {
    async open(key, title) {
      shown = key;
      find(dialog, "#explorer-title", HTMLElement).textContent = title;
      waits.hidden = false;
      dialog.showModal();
      try {
        await once(library);
        await redraw();
      } catch (error) {
        dialog.close();
        throw error;
      }
    },
    redraw,
  };
}

/** @type {Map<string, Promise<void>>} */
const loaded = new Map();

/**
 * Load a script once; after a failure it can be tried again.
 * @param {string} address
 * @returns {Promise<void>}
 */
function once(address) {
  const known = loaded.get(address);
  if (known) return known;
  /** @type {Promise<void>} */
  const loading = new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      loaded.delete(address);
      reject(new Error(address));
    });
    document.head.append(script);
  });
  loaded.set(address, loading);
  return loading;
}
