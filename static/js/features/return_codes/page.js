import { el } from "../../lib/dom.js";
import { gettext } from "../../lib/i18n.js";
import { need } from "../../lib/late.js";
import { screen } from "../../ui/pager.js";
import { isReturnCode } from "./code.js";

// Return codes: how a page has one kept, and finds in a later wave what was sent under it.

/**
 * @param {SurveyParameters} parameters
 * @param {Parts} parts
 * @returns {Promise<Parts>} with how respondents are told apart
 */
export async function arrive(parameters, parts) {
  const returning = await need(parameters.wave > 1, () => import("./returning.js"));
  /** @type {typeof import("./keeping.js")} */
  let keeping;
  const rest = async () => {
    [keeping] = await Promise.all([import("./keeping.js"), returning?.rest(), parts.rest?.()]);
  };
  /** @type {OwnPart["fits"]} */
  const fits = (stored) => isOwn(stored, parameters, returning);
  /** @type {OwnPart["lastScreen"]} */
  const lastScreen = (flow) => keeping.lastScreen(flow);
  /** @type {OwnPart["receiptParts"]} */
  const receiptParts = (asked, stored) => keeping.receiptParts(asked, stored);
  const again = returning && {
    draw: returning.drawAgain,
    recall: returning.recall,
    visit: returning.visit,
    memory: returning.memory,
    /** @type {OwnPart["remember"]} */
    remember: (known) => returning.remember(/** @type {EarlierReports | undefined} */ (known)),
  };
  return { ...parts, rest, own: { key, fits, lastScreen, receiptParts, refusals, refusedScreen, ...again } };
}

/** @type {OwnKey} */
const key = {
  name: "code",
  fits: isReturnCode,
  of: ({ code }) => code,
  meaning: gettext("Your return code."),
};

/**
 * @param {StoredResponse} stored
 * @param {SurveyParameters} parameters
 * @param {typeof import("./returning.js") | undefined} returning only in a later wave
 * @returns {boolean} whether the code and what was sent before can be this survey's
 */
function isOwn({ code, earlier }, parameters, returning) {
  if (code !== undefined && !isReturnCode(code)) return false;
  if (earlier === undefined) return true;
  const known = returning?.earlierOf(earlier, parameters);
  return code !== undefined && known?.answered === false && known.epsilons !== undefined;
}

/** @type {Record<string, () => string>} */
const REFUSALS = {
  already_answered: () =>
    gettext(
      "Somebody has answered this wave with your return code already, perhaps on another phone or computer. That answer stays; nothing was stored now.",
    ),
  over_budget: () =>
    gettext("With this your answers would reveal more than the survey’s budget. Nothing was stored."),
  stale_digest: () =>
    gettext(
      "A new wave began before your answers arrived. Nothing was stored. Reload the page to answer the new wave. A return code of an earlier wave stays good; one that was new here leads to nothing.",
    ),
};

/**
 * Refusals that stay: what was drawn here is given up, the code with it, and nothing is drawn again.
 * @param {import("../../lib/session.js").Session} session
 * @returns {(error: import("../../lib/delivery.js").HttpError) => string | undefined}
 */
function refusals(session) {
  return ({ errors }) => {
    const code = errors[0]?.code;
    if (!Object.hasOwn(REFUSALS, String(code))) return undefined;
    session.update(({ submission }) => ({ submission, reports: {}, refused: code }));
    return REFUSALS[code]();
  };
}

/**
 * @param {string} code why nothing was stored
 * @returns {PageScreen}
 */
function refusedScreen(code) {
  const text = REFUSALS[code]?.() ?? gettext("The server did not accept the answers, and nothing was stored.");
  const once = gettext("This browser asks once only in each wave.");
  return screen({ title: el("h2", {}, gettext("Not stored")), body: [el("p", { class: "lead" }, text), el("p", {}, once)] });
}
