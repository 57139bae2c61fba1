/**
 * Personal links, by which a member of a roster answers once: 28 random symbols of Crockford's base 32 behind
 * the # of the address. surveys/features/roster/senders.py is the twin.
 *
 * A page runs this beside its other scripts as well, and it imports nothing: whose link it is is asked while
 * the checks are still under way.
 */

const FORM = /^[0-9A-HJKMNP-TV-Z]{28}$/;
const TIMEOUT_MS = 20_000;

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
 * What the server says about a link that came with the address: asked once, whichever copy of this module
 * comes first.
 * @param {string} link
 * @returns {Promise<unknown>} null where there was no answer
 */
export const firstAnswer = async (link) => (globalThis.askedLink?.link === link ? globalThis.askedLink.answer : null);

/**
 * @param {string | undefined} url
 * @param {string | null} link
 */
function ask(url, link) {
  return url && link ? { link, answer: answerOf(url, link) } : undefined;
}

/**
 * @param {string} url
 * @param {string} link
 * @returns {Promise<unknown>}
 */
async function answerOf(url, link) {
  const headers = { "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  /** @type {RequestInit} a signed-in browser must not be recognised */
  const options = { method: "POST", headers, cache: "no-store", credentials: "omit", redirect: "error", signal };
  try {
    const answer = await fetch(url, { ...options, body: JSON.stringify({ link }) });
    return answer.ok ? await answer.json() : null;
  } catch {
    // The page asks again, and says so.
    return null;
  }
}

/** @type {HTMLElement | null} */
const own = document.querySelector("script[data-person]");
globalThis.askedLink ??= ask(own?.dataset.person, readPersonalLink(location.hash));
