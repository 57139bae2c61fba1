import { byId, el } from "../../lib/dom.js";
import { gettext } from "../../lib/i18n.js";
import { insist } from "../../lib/late.js";
import { fits } from "../../lib/session.js";
import { browserStore, memoryStore } from "../../lib/store.js";
import { MEMBERS } from "../../rr/wire.js";
import { screen, waitingScreen } from "../../ui/pager.js";
import { greet, leaveAddress, personOf, storeName, tabOf } from "./door.js";
import { firstAnswer, isPersonalLink, readPersonalLink } from "./link.js";
import { rosterControl } from "./list.js";

// Personal links: whose one this is, before anything is asked.

/** @typedef {typeof import("./trouble.js")} Trouble */

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
  const tab = tabOf(parameters);
  const { link, handle } = tab.arrived();
  followAddress(link);
  /** @param {(trouble: Trouble) => PageScreen} page */
  const stop = async (page) => {
    tab.forget();
    const trouble = await troubled(host);
    trouble.show(host, page(trouble));
    return null;
  };
  if (handle) return afterwards(parameters, parts, handle, stop);
  if (!link) return stop(({ withoutLink }) => withoutLink(parameters));
  const welcome = [...host.childNodes];
  const person = personOf(await firstAnswer(link), roster) ?? (await found(link, parameters, host, stop));
  if (!person) return null;
  // Once somebody has answered, the server sends no names, and nothing is asked any more.
  if (!person.names && !person.answered) return stop(({ misfit }) => misfit(parameters));
  const store = storeOf(parameters, person, parts);
  if (await isOver(store, link, person)) return stop(({ answeredBefore }) => answeredBefore(parameters));
  if (!welcome[0]?.isConnected) host.replaceChildren(...welcome);
  return known(roster, person, parts, { link, store });
}

/**
 * Asks whose link it is, where the first try had no answer of use.
 * @param {string} link
 * @param {WithRoster} parameters
 * @param {HTMLElement} host
 * @param {(page: (trouble: Trouble) => PageScreen) => Promise<null>} stop
 * @returns {Promise<Person | null>}
 */
async function found(link, parameters, host, stop) {
  const { lookedUp } = await troubled(host);
  const { person, page } = await lookedUp(link, parameters, host);
  return person ?? stop(() => /** @type {PageScreen} */ (page));
}

/**
 * What only some people meet is loaded where it is needed.
 * @param {HTMLElement} host
 * @returns {Promise<Trouble>}
 */
function troubled(host) {
  const { title, node, say, nudge } = waitingScreen(gettext("Looking up your link"));
  const failed = () => {
    if (!node.isConnected) {
      host.replaceChildren(node);
      title.focus({ preventScroll: true });
    }
    say(`${gettext("There is no connection just now.")} ${gettext("Nothing is lost: this page tries again by itself.")}`, true);
  };
  return insist(() => import("./trouble.js"), failed, nudge);
}

/**
 * @param {SurveyParameters} parameters
 * @param {Pick<Person, "handle">} person
 * @param {Parts} parts
 * @returns {Store} which leaves this tab the handle alone once nothing more can be sent
 */
function storeOf(parameters, person, parts) {
  const store = browserStore(storeName(parameters.digest, person), fits(parameters, parts));
  /** @param {StoredResponse} stored */
  const settle = (stored) => {
    if (stored.receipt || stored.refused) tabOf(parameters).keep({ handle: person.handle });
    return stored;
  };
  return { ...store, read: () => settle(store.read()), update: async (change) => settle(await store.update(change)) };
}

/**
 * The page of somebody whose answer this browser has a receipt of; nobody is asked whose it is.
 * @param {WithRoster} parameters
 * @param {Parts} parts
 * @param {string} handle
 * @param {(page: (trouble: Trouble) => PageScreen) => Promise<null>} stop
 */
function afterwards(parameters, parts, handle, stop) {
  const store = storeOf(parameters, { handle }, parts);
  const { receipt, refused } = store.read();
  if (receipt || refused) return known(parameters.roster, NOBODY, parts, { link: NO_LINK, store });
  return stop(({ withoutLink }) => withoutLink(parameters));
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
  greet(person);
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
 * @returns {(error: import("../../lib/delivery.js").HttpError) => string | undefined}
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
