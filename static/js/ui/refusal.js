import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { RandomizerError } from "../rr/errors.js";

const CANNOT = new Set(["insecure_context", "no_generator", "generator_failed"]);

/**
 * @param {unknown} error why nothing is asked
 */
export function refusal(error) {
  const text = error instanceof RandomizerError && CANNOT.has(error.code)
    ? gettext(
        "This browser or connection does not give the page the secure chance that it needs. Open the page over https in an up-to-date browser.",
      )
    : gettext(
        "This page did not pass its own check. Reload it; if this stays, tell whoever sent you the link.",
      );
  const title = el("h2", { tabindex: "-1", class: "heading--small" }, gettext("Nothing is asked here"));
  const reason = interpolate(gettext("Reason: %(code)s"), { code: codeOf(error) });
  const assurance = el("p", {}, gettext("Nothing was asked and nothing was sent."));
  const body = [el("p", {}, text), assurance, el("p", { class: "small quiet" }, reason)];
  return el("div", { class: "notice notice--warning refusal", role: "alert" }, title, ...body);
}

/** @param {unknown} error */
function codeOf(error) {
  if (error instanceof RandomizerError) return `${error.code} (${error.field || "$"})`;
  return error instanceof Error ? error.name : "error";
}
