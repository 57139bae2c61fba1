import { HttpError } from "../../lib/delivery.js";
import { byId, el, setTitle } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { fits } from "../../lib/session.js";
import { browserStore, memoryStore } from "../../lib/store.js";
import { MEMBERS } from "../../rr/wire.js";
import { lookUp } from "../../ui/looking_up.js";
import { screen, waitingScreen } from "../../ui/pager.js";
import { isPersonalLink, personOf, readPersonalLink } from "./link.js";
import { rosterControl } from "./list.js";

// Personal links: whose one this is, before anything is asked. The link leaves the address as soon as it is
// read, so that no address bar and no list of pages shows it, and goes nowhere but into the look-up and into the
// response. For a reload this tab keeps it until there is a receipt.

// A preview has this in place of a link.
const NO_LINK = "0".repeat(28);
/** @type {Person} */
const NOBODY = { member: "", handle: "0".repeat(32), place: 0, names: null, answered: true };

/**
 * @param {WithRoster} parameters
 * @param {Parts} parts
 * @returns {Promise<Parts | null>} with what is known of whoever answers; null where a screen says why
 *   nothing is asked
 */
export async function arrive(parameters, parts) {
  const host = byId("respond");
  const roster = parameters.roster;
  if (host.dataset.preview === "true") return previewed(roster, parts);
  /** @param {PageScreen} page */
  const stop = (page) => {
    show(host, page);
    return null;
  };
  const tab = tabOf(parameters);
  const { link, handle } = tab.arrived();
  followAddress(link);
  if (handle) return afterwards(parameters, parts, tab, handle);
  if (!link) return stop(withoutLink(parameters));
  const welcome = [...host.childNodes];
  /** @type {Person | null} */
  let person;
  try {
    person = await found(link, roster, host);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    tab.forget();
    if (error.status === 404) return stop(unknown(parameters));
    return stop(error.status === 422 ? withoutLink(parameters) : misfit(parameters));
  }
  // Once somebody has answered, the server sends no names, and nothing is asked any more.
  if (!person || (!person.names && !person.answered)) {
    tab.forget();
    return stop(misfit(parameters));
  }
  const store = tab.storeOf(person.handle, parts);
  if (await isOver(store, link, person)) {
    tab.forget();
    return stop(answeredBefore(parameters));
  }
  if (!welcome[0]?.isConnected) host.replaceChildren(...welcome);
  return known(roster, person, parts, { link, store });
}

/**
 * The memory of this tab: a link until its answer is stored, then the handle of the member, which is no key to
 * anything and names nobody. Without a storage a reload needs the invitation again.
 * @param {SurveyParameters} parameters
 */
function tabOf(parameters) {
  const key = `candor:${parameters.digest}:link`;
  /** @param {{link?: string, handle?: string}} kept */
  const keep = (kept) => {
    try {
      sessionStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Blocked: the page goes on with what it has read.
    }
  };
  const kept = () => {
    try {
      return JSON.parse(sessionStorage.getItem(key) ?? "{}");
    } catch {
      return {};
    }
  };
  const forget = () => keep({});
  return {
    forget,
    /** @returns {{link?: string | null, handle?: string}} */
    arrived: () => {
      const link = readPersonalLink(location.hash);
      if (!link) return kept();
      keep({ link });
      leaveAddress();
      return { link };
    },
    /**
     * Two members may share a phone: nobody gets the session of another.
     * @param {string} handle
     * @param {Parts} parts
     * @returns {Store}
     */
    storeOf: (handle, parts) => {
      const store = browserStore(`${parameters.digest}:${handle}`, fits(parameters, parts));
      /** @param {StoredResponse} stored */
      const settle = (stored) => {
        if (stored.receipt || stored.refused) keep({ handle });
        return stored;
      };
      return { ...store, read: () => settle(store.read()), update: async (change) => settle(await store.update(change)) };
    },
  };
}

/**
 * The page of somebody whose answer this browser has a receipt of; nobody is asked whose it is.
 * @param {WithRoster} parameters
 * @param {Parts} parts
 * @param {ReturnType<typeof tabOf>} tab
 * @param {string} handle
 */
function afterwards(parameters, parts, tab, handle) {
  const store = tab.storeOf(handle, parts);
  const { receipt, refused } = store.read();
  if (receipt || refused) return known(parameters.roster, NOBODY, parts, { link: NO_LINK, store });
  tab.forget();
  show(byId("respond"), withoutLink(parameters));
  return null;
}

/**
 * @param {Roster} roster
 * @param {Parts} parts
 */
function previewed(roster, parts) {
  const names = JSON.parse(byId("roster-names").textContent);
  const person = personOf({ member: roster.codes[0], handle: NOBODY.handle, names, answered: false }, roster);
  if (!person) throw new Error("The names of the preview do not fit the roster.");
  return known(roster, person, parts, { link: NO_LINK, store: memoryStore() });
}

/**
 * @param {Roster} roster
 * @param {Person} person
 * @param {Parts} parts
 * @param {{link: string, store: Store}} answering with a store that is theirs alone on a computer of several people
 * @returns {Parts}
 */
function known(roster, person, parts, { link, store }) {
  const line = byId("person");
  const text = gettext("This link is for %(name)s. If that is not you, close this page.");
  const name = person.names?.[person.place];
  line.textContent = interpolate(text, { name: isolated(name ?? "") });
  line.hidden = name === undefined;
  const ofRoster = rosterControl(roster, person);
  const meaning = gettext("Your personal link: whose answer this is.");
  /** @type {OwnKey} */
  const key = { name: "link", fits: isPersonalLink, of: () => link, meaning };
  return {
    ...parts,
    own: { key, store, refusals, refusedScreen },
    controlOf: (question) => (question.control === MEMBERS ? ofRoster : parts.controlOf(question)),
  };
}

/**
 * A name in a sentence that may run the other way.
 * @param {string} name
 */
const isolated = (name) => `\u2068${name}\u2069`;

/**
 * A link that somebody opens in this tab changes nothing but the address.
 * @param {string | null | undefined} link that is read already
 */
function followAddress(link) {
  addEventListener("hashchange", () => {
    const other = readPersonalLink(location.hash);
    if (other === null) return;
    if (other === link) leaveAddress();
    else location.reload();
  });
}

const leaveAddress = () => history.replaceState(history.state, "", location.pathname + location.search);

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
 * Whether a response is stored that this browser knows nothing of. A response that is under way, or stored,
 * is finished by the page itself.
 * @param {Store} store
 * @param {string} link
 * @param {Person} person
 */
async function isOver(store, link, { answered }) {
  const { body, receipt, refused, reports } = store.read();
  if (body && JSON.parse(body).link !== link) {
    // The member has got another link since: the same reports are sealed again.
    await store.update(({ body: _old, ...stored }) => stored);
  }
  if (!answered || receipt || body || refused) return false;
  // Drawn here, but another response is stored: nothing more may be drawn from the same answers.
  if (Object.keys(reports).length > 0) await store.update(({ submission }) => ({ submission, reports: {} }));
  return true;
}

/**
 * @param {HTMLElement} host
 * @param {PageScreen} page
 */
function show(host, { node, title }) {
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
const withoutLink = (parameters) =>
  calm(parameters, gettext("You need your personal link"), [
    gettext("Everybody who takes part in this survey has a link of their own, and this is not a whole one."),
    gettext(
      "Open the link in your invitation. If you copied it, copy it to the last character: mail programs sometimes cut it off.",
    ),
    gettext("Nothing was asked, and nothing was sent."),
  ]);

/** @param {SurveyParameters} parameters */
const unknown = (parameters) =>
  calm(parameters, gettext("This link is not valid"), [
    gettext("The survey does not know it, or no longer. Perhaps you were sent a newer one, or a character is wrong."),
    gettext("Look for a newer message from whoever invited you, or ask them for another link."),
    gettext("Nothing was asked, and nothing of you was stored."),
  ]);

/** @param {SurveyParameters} parameters */
const answeredBefore = (parameters) =>
  calm(parameters, gettext("This link has been used"), [
    gettext("An answer came in under this link already, from another browser, phone or computer. It is stored, and you need to do nothing more."),
    gettext("There is one answer for each link: scrambling the same answers twice would wear your protection down."),
    gettext("Was it not you? Then tell whoever sent you the link."),
  ]);

/** @param {SurveyParameters} parameters */
const misfit = (parameters) =>
  calm(parameters, gettext("Nothing is asked here"), [
    gettext("What the server says about this link does not fit this survey. Tell whoever sent you the link."),
    gettext("Nothing was asked, and nothing of you was stored."),
  ]);

/** @type {Record<string, () => string>} */
const REFUSALS = {
  already_answered: () =>
    gettext(
      "An answer came in under this link already, from another browser, phone or computer. That answer stays; nothing was stored now.",
    ),
  unknown_link: () =>
    gettext(
      "This link is no longer valid: it was taken back while you answered. Nothing was stored. If you get another link, open it in this browser, and what you have answered is sent.",
    ),
};

/**
 * Handles the refusal of a link: once it is used up, what was drawn here is given up; if it was taken back, it is
 * kept.
 * @param {import("../../lib/session.js").Session} session
 * @returns {(error: HttpError) => string | undefined}
 */
function refusals(session) {
  return ({ errors }) => {
    const code = String(errors[0]?.code);
    if (code === "already_answered") session.update(({ submission }) => ({ submission, reports: {}, refused: code }));
    return Object.hasOwn(REFUSALS, code) ? REFUSALS[code]() : undefined;
  };
}

/**
 * @param {string} code why nothing was stored
 * @returns {PageScreen}
 */
function refusedScreen(code) {
  const text = REFUSALS[code]?.() ?? gettext("The server did not accept the answers, and nothing was stored.");
  return screen({ title: el("h2", {}, gettext("Not stored")), body: [el("p", { class: "lead" }, text)] });
}
