/** Moments in the reader's own time zone and the page's language. */
const style = { dateStyle: "full", timeStyle: "short" };
const moments = new Intl.DateTimeFormat(document.documentElement.lang || "en", style);
for (const node of document.querySelectorAll("time[data-local]")) {
  node.textContent = moments.format(new Date(node.dateTime));
}
