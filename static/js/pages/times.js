/** Moments in the reader's own time zone, which is named, and the page's language. */
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
for (const node of document.querySelectorAll("time[data-local]")) {
  node.textContent = moments.format(new Date(node.dateTime));
}
