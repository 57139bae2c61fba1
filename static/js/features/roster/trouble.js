import { HttpError } from "../../lib/delivery.js";
import { el, setTitle } from "../../lib/dom.js";
import { gettext } from "../../lib/i18n.js";
import { lookUp } from "../../ui/looking_up.js";
import { screen, waitingScreen } from "../../ui/pager.js";
import { personOf } from "./door.js";

// What only some people with a personal link meet: a connection that breaks, and screens that say why nothing is asked.

/**
 * Asks whose link it is, until there is an answer.
 * @param {string} link
 * @param {WithRoster} parameters
 * @param {HTMLElement} host
 * @returns {Promise<{person?: Person, page?: PageScreen}>} the person, or why nothing is asked
 */
export async function lookedUp(link, parameters, host) {
  try {
    const person = await found(link, parameters.roster, host);
    return person ? { person } : { page: misfit(parameters) };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status === 404) return { page: unknown(parameters) };
    return { page: error.status === 422 ? withoutLink(parameters) : misfit(parameters) };
  }
}

/**
 * Asks whose link it is, until there is an answer.
 * @param {string} link
 * @param {Roster} roster
 * @param {HTMLElement} host
 * @returns {Promise<Person | null>} null where the answer does not fit the roster
 * @throws {HttpError}
 */
function found(link, roster, host) {
  const waiting = waitingScreen(gettext("Looking up your link"));
  return lookUp({
    url: host.dataset.person ?? "",
    body: { link },
    read: (answer) => personOf(answer, roster),
    say: (text, retry) => {
      if (retry && !waiting.node.isConnected) show(host, waiting);
      waiting.say(text, retry);
    },
    again: gettext("Nothing is lost: this page tries again by itself."),
    nudge: waiting.nudge,
  });
}

/**
 * @param {HTMLElement} host
 * @param {PageScreen} page
 */
export function show(host, { node, title }) {
  host.replaceChildren(node);
  setTitle(title.textContent);
  title.focus({ preventScroll: true });
}

/**
 * @param {SurveyParameters} parameters
 * @param {string} name
 * @param {string[]} texts
 */
function calm({ contact }, name, texts) {
  const [lead, ...rest] = texts;
  const body = [
    el("p", { class: "lead" }, lead),
    ...rest.map((text) => el("p", {}, text)),
    contact && el("h3", {}, gettext("Whom to ask")),
    contact && el("p", { class: "author-text", dir: "auto" }, contact),
  ].filter(Boolean);
  return screen({ title: el("h2", {}, name), body });
}

/** @param {SurveyParameters} parameters */
export const withoutLink = (parameters) =>
  calm(parameters, gettext("You need your personal link"), [
    gettext("Everybody who takes part in this survey has a link of their own, and this is not a whole one."),
    gettext(
      "Open the link in your invitation. If you copied it, copy it to the last character: mail programs sometimes cut it off.",
    ),
    gettext("Nothing was asked, and nothing was sent."),
  ]);

/** @param {SurveyParameters} parameters */
export const unknown = (parameters) =>
  calm(parameters, gettext("This link is not valid"), [
    gettext("The survey does not know it, or no longer. Perhaps you were sent a newer one, or a character is wrong."),
    gettext("Look for a newer message from whoever invited you, or ask them for another link."),
    gettext("Nothing was asked, and nothing of you was stored."),
  ]);

/** @param {SurveyParameters} parameters */
export const answeredBefore = (parameters) =>
  calm(parameters, gettext("This link has been used"), [
    gettext("An answer came in under this link already, from another browser, phone or computer. It is stored, and you need to do nothing more."),
    gettext("There is one answer for each link: scrambling the same answers twice would wear your protection down."),
    gettext("Was it not you? Then tell whoever sent you the link."),
  ]);

/** @param {SurveyParameters} parameters */
export const misfit = (parameters) =>
  calm(parameters, gettext("Nothing is asked here"), [
    gettext("What the server says about this link does not fit this survey. Tell whoever sent you the link."),
    gettext("Nothing was asked, and nothing of you was stored."),
  ]);

