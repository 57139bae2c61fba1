/** The last screen, and the way back to a panel. */

import { checkKeys } from "../../rr/shape.js";

const LONGEST_ADDRESS = 500;
const CHARACTERS = "[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*";
const ADDRESS = new RegExp(`^https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/${CHARACTERS}(\\{id\\}${CHARACTERS})?)?$`);
const KEY = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
/** @type {Way[]} */
const WAYS = ["complete", "full", "screened"];

/**
 * The twin is surveys/features/closing_page/section.py.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection(parameters, fail) {
  const { closing_page: closing } = /** @type {WithClosing} */ (parameters);
  /** @type {(prefix: string) => Fail} */
  const inside = (prefix) => (code, key) => fail(code, [prefix, key].filter(Boolean).join("."));
  checkKeys(closing, ["panel", ...WAYS], [], inside("closing_page"));
  const { panel } = closing;
  WAYS.forEach((way) => checkEnding(closing[way], inside(`closing_page.${way}`)));
  const addresses = WAYS.map((way) => closing[way].address ?? "").filter(Boolean);
  if (!addresses.length && WAYS.every((way) => !closing[way].text)) fail("empty", "closing_page");
  if (new Set(addresses.map(hostOf)).size > 1) fail("bad_address", "closing_page");
  if ((panel === null) !== !addresses.length) fail("bad_panel", "closing_page.panel");
  if (panel !== null) checkPanel(panel, inside("closing_page.panel"));
}

/**
 * @param {unknown} ending
 * @param {Fail} fail
 */
function checkEnding(ending, fail) {
  checkKeys(ending, ["text", "address"], [], fail);
  const { text, address } = /** @type {Record<string, unknown>} */ (ending);
  if (typeof text !== "string") fail("bad_text", "text");
  if (address === null) return;
  if (typeof address !== "string") return fail("bad_text", "address");
  const before = address.split("{id}", 1)[0];
  const isBehind = before === address || /[?#]/.test(before);
  if (address.length > LONGEST_ADDRESS || !isBehind || !ADDRESS.test(address)) fail("bad_address", "address");
}

/**
 * @param {unknown} panel
 * @param {Fail} fail
 */
function checkPanel(panel, fail) {
  checkKeys(panel, ["name", "key"], [], fail);
  const { name, key } = /** @type {Record<string, unknown>} */ (panel);
  if (typeof name !== "string" || !name) fail("bad_text", "name");
  if (typeof key !== "string" || !KEY.test(key)) fail("bad_text", "key");
}

/** @param {string} address */
const hostOf = (address) => address.split("/")[2].split(/[?#]/)[0].toLowerCase();
