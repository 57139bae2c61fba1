import { button, el } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { screen } from "./pager.js";

/** A screen that waits for the network: `say` shows a sentence, with or without “Try now”. */
export function waiting(name) {
  const title = el("h2", {}, name);
  const status = el("p", { role: "status", class: "lead" });
  const nudge = new EventTarget();
  const again = button(gettext("Try now"), () => nudge.dispatchEvent(new Event("now")));
  again.hidden = true;
  const say = (text, asking) => {
    status.textContent = text;
    again.hidden = !asking;
  };
  return { ...screen({ title, body: [status, again] }), status, nudge, say };
}

/** `lasting`: the codes outlive this page. */
export const keptText = (lasting) =>
  lasting
    ? gettext("Your codes are kept in this browser, and this page tries again by itself.")
    : gettext("Keep this page open: your codes are kept here, and it tries again by itself.");
