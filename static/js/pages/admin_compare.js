/** Compare mechanisms: the figures, in the page's colours; the table beneath needs no script. */

import { drawInColour, onColourChange, showFrame } from "../admin/figures.js";
import { findAll, read } from "../lib/find.js";
import "./admin_page.js";

/** @type {Record<string, Figure>} */
const figures = read("figures");
/** @type {FigureSettings} */
const settings = read("figure-settings");

async function drawAll() {
  for (const element of findAll(document, "[data-mechanism]", HTMLElement)) {
    showFrame(element);
    await drawInColour(element, figures[element.dataset.mechanism ?? ""], settings);
  }
}

onColourChange(drawAll);
await drawAll();
