/** Compare mechanisms: the figures, in the page's colours; the table beneath needs no script. */

import { drawFigure } from "../results/draw.js";
import "./admin_page.js";

/**
 * What a custom property shows at this moment. Those of the admin hold both colours, light and dark,
 * of which only a real element knows the one in force.
 */
function shownColour(property) {
  const probe = document.createElement("span");
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function inColour(figure) {
  const colours = Object.entries(settings.properties);
  const shown = new Map(colours.map(([drawn, property]) => [drawn, shownColour(property)]));
  return JSON.parse(JSON.stringify(figure, (_key, value) => shown.get(value) ?? value));
}

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const figures = read("figures");
const settings = read("figure-settings");
const bare = { config: settings.config, properties: {} };

async function drawAll() {
  for (const place of document.querySelectorAll("[data-mechanism]")) {
    place.closest("figure").hidden = false;
    await drawFigure(place, inColour(figures[place.dataset.mechanism]), bare);
  }
}

// The admin's own switch between light and dark changes an attribute of the page.
new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ["data-theme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
await drawAll();
