import { formatMoment } from "../lib/i18n.js";

/** Moments in the reader's own time zone and the page's language. */
for (const node of document.querySelectorAll("time[data-local]")) {
  node.textContent = formatMoment(new Date(node.dateTime));
}
