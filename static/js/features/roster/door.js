import { byId } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { isKept, nameOf } from "../../lib/store.js";
import { isRecord } from "../../rr/shape.js";
import { firstAnswer, readPersonalLink } from "./link.js";

// Whose link it is. The link leaves the address as soon as the checks have passed, so that no address bar and no list
// of pages shows it, and goes nowhere but into the look-up and into the response. For a reload this tab keeps it
// until there is a receipt.

const HANDLE = /^[0-9a-f]{32}$/;

/**
 * Whether somebody may agree while the rest of the page is loaded: the server knows the link, nobody has answered
 * under it, and this browser keeps nothing of its member.
 * @param {WithRoster} parameters
 */
export async function opens({ digest, roster }) {
  const { link } = tabOf({ digest }).arrived();
  const person = link ? personOf(await firstAnswer(link), roster) : null;
  if (!person?.names || person.answered || isKept(storeName(digest, person))) return false;
  greet(person);
  return true;
}

/**
 * Two members may share a phone: nobody gets the session of another.
 * @param {string} digest
 * @param {Pick<Person, "handle">} person
 */
export const storeName = (digest, { handle }) => `${digest}:${handle}`;

/** @param {Person} person */
export function greet({ names, place }) {
  const line = byId("person");
  const text = gettext("This link is for %(name)s. If that is not you, close this page.");
  const name = names?.[place];
  line.textContent = interpolate(text, { name: isolated(name ?? "") });
  line.hidden = name === undefined;
}

/** @type {{link?: string | null, handle?: string} | undefined} what somebody came with; the address has it once */
let arrival;

/**
 * The memory of this tab: a link until its answer is stored, then the handle of the member, which is no key to
 * anything and names nobody. Without a storage a reload needs the invitation again.
 * @param {Pick<SurveyParameters, "digest">} parameters
 */
export function tabOf({ digest }) {
  const key = `${nameOf(digest)}:link`;
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
  const read = () => {
    const link = readPersonalLink(location.hash);
    if (!link) return keptHere(kept());
    keep({ link });
    leaveAddress();
    return { link };
  };
  return { keep, forget: () => keep({}), arrived: () => (arrival ??= read()) };
}

/**
 * The page in another language asks again: in a tab that keeps nothing, what this page was opened with.
 * @param {{link?: string, handle?: string}} kept
 */
const keptHere = (kept) => (kept.link || kept.handle ? kept : { ...kept, link: globalThis.askedLink?.link });

/**
 * A name in a sentence that may run the other way.
 * @param {string} name
 */
const isolated = (name) => `\u2068${name}\u2069`;

export const leaveAddress = () => history.replaceState(history.state, "", location.pathname + location.search);

/**
 * The server's statement about whoever has a link, as it is used here.
 * @param {unknown} answer
 * @param {Roster} roster
 * @returns {Person | null} null where it does not fit the roster
 */
export function personOf(answer, { codes }) {
  if (!isRecord(answer)) return null;
  const { member, handle, names, answered } = answer;
  const place = codes.indexOf(String(member));
  if (place < 0 || typeof answered !== "boolean" || !HANDLE.test(String(handle))) return null;
  if (names !== null && !(Array.isArray(names) && names.length === codes.length)) return null;
  if (names?.some((name) => typeof name !== "string")) return null;
  return { member: codes[place], handle: String(handle), place, names, answered };
}
