import { el, setTitle } from "../lib/dom.js";
import { ConnectionError, HttpError, deliver } from "../lib/delivery.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { filledUp } from "../rr/body_length.js";
import { storageText, waitingScreen } from "./pager.js";

/** @type {Record<string, () => string>} */
const REFUSALS = {
  403: () =>
    gettext("This page is shown inside another site, which blocks sending. Open it in its own tab."),
  413: () => gettext("The request is larger than the server takes. Nothing was stored."),
  stale_digest: () =>
    gettext("The survey was changed after you opened it. Nothing was stored. Reload the page."),
  409: () => gettext("The survey closed before your answers arrived. Nothing of them was stored."),
};

/**
 * The screen between the last question and the receipt.
 * @param {Pick<FlowOptions, "url" | "whole">} options
 * @param {string} body
 * @param {boolean} lasting whether the codes outlive this page
 * @param {(receipt: string) => void} onStored
 * @param {(refusal: HttpError) => string | undefined} [wordsFor] refusals that not every survey has
 * @returns {PageScreen}
 */
export function sendingScreen({ url, whole }, body, lasting, onStored, wordsFor) {
  const { title, node, status, nudge, say } = waitingScreen(gettext("Sending your answers"));
  /** @param {Progress} progress */
  const showProgress = (progress) => {
    if (progress.state === "sending") say(gettext("On its way …"), false);
    else say(`${causeText(progress.error, Math.ceil(progress.seconds))} ${storageText(lasting)}`, true);
  };
  const run = async () => {
    try {
      onStored(await deliver(url, filledUp(body, whole), showProgress, nudge));
    } catch (error) {
      const refusal = error instanceof HttpError ? error : new HttpError(0, 0, []);
      say(wordsFor?.(refusal) ?? refusalText(refusal), false);
      title.textContent = gettext("Not stored");
      setTitle(title.textContent);
      status.after(details(refusal));
    }
  };
  run();
  return { title, node };
}

/**
 * @param {DeliveryProblem} error
 * @param {number} seconds
 */
export function causeText(error, seconds) {
  if (error instanceof ConnectionError) return gettext("There is no connection just now.");
  if (error.status === 429) {
    const text = gettext(
      "Many answers are arriving from your network. The next try is in %(seconds)s seconds.",
    );
    return interpolate(text, { seconds });
  }
  return gettext("The server has a problem of its own.");
}

/**
 * @param {HttpError} error
 * @returns {string | undefined}
 */
export const knownRefusal = ({ status, errors }) => (REFUSALS[errors[0]?.code] ?? REFUSALS[status])?.();

/** @param {HttpError} error */
const refusalText = (error) =>
  knownRefusal(error) ?? gettext("The server did not accept the answers, and nothing was stored.");

/** @param {HttpError} error */
function details({ errors }) {
  const lines = errors.map(({ field, message }) =>
    el("li", {}, field && el("code", {}, field), field && " ", message),
  );
  const title = el("summary", {}, gettext("What the server says"));
  return lines.length > 0 ? el("details", {}, title, el("ul", { lang: "en" }, ...lines)) : "";
}
