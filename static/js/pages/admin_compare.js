/** Compare mechanisms: the figures, in the page's colours; the table beneath needs no script. */

import { drawInColour, onColourChange, read } from "../admin/figures.js";
import "./admin_page.js";

const figures = read("figures");
const settings = read("figure-settings");

async function drawAll() {
  for (const place of document.querySelectorAll("[data-mechanism]")) {
    place.closest("figure").hidden = false;
    await drawInColour(place, figures[place.dataset.mechanism], settings);
  }
}

onColourChange(drawAll);
await drawAll();
