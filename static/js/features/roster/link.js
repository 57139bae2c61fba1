/**
 * Personal links, by which a member of a roster answers once: 28 random symbols of Crockford's base 32 behind
 * the # of the address. surveys/features/roster/senders.py is the twin.
 */

import { isRecord } from "../../rr/shape.js";

const FORM = /^[0-9A-HJKMNP-TV-Z]{28}$/;
const HANDLE = /^[0-9a-f]{32}$/;

/**
 * Whether a text is a link in the one form that is sent.
 * @param {unknown} text
 * @returns {text is string}
 */
export const isPersonalLink = (text) => typeof text === "string" && FORM.test(text);

/**
 * The link in an address, as people and mail programs may have changed it: in any case, broken by spaces or
 * hyphens, O for 0, I and L for 1, with what follows a sentence behind it.
 * @param {string} fragment what follows the #
 * @returns {string | null} in the form that is sent; null where it is none
 */
export function readPersonalLink(fragment) {
  const plain = fragment.replace(/%[0-9a-f]{2}/gi, "").replace(/[^0-9a-z]/gi, "").toUpperCase();
  const link = plain.replaceAll("O", "0").replace(/[IL]/g, "1");
  return isPersonalLink(link) ? link : null;
}

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
