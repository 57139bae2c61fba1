/** Moments in the reader's own time zone, which is named, and the page's language. */

import { findAll } from "../lib/find.js";

/** @type {Intl.DateTimeFormatOptions} */
const style = {
  weekday: "long",
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
};
const moments = new Intl.DateTimeFormat(document.documentElement.lang || "en", style);
for (const node of findAll(document, "time[data-local]", HTMLTimeElement)) {
  node.textContent = moments.format(new Date(node.dateTime));
}
