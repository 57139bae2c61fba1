import { el } from "../../lib/dom.js";
import { readFragment } from "../../lib/fragment.js";
import { gettext, interpolate } from "../../lib/i18n.js";

// A panel's own id comes behind the # of the link, where it stays: no request carries it, and nothing stores it, so
// that a reload still has it. It goes into the address of the button that leads back, and nowhere else.

// No mail address is an id.
const ID = /^[A-Za-z0-9._~+/=-]{1,128}$/;
const PLACE = "{id}";

/** @type {(parameters: SurveyParameters) => WithClosing["closing_page"]} */
const closingOf = (parameters) => /** @type {WithClosing} */ (parameters).closing_page;

/**
 * What stands at the end, however somebody has come there.
 * @param {SurveyParameters} parameters
 * @param {Way} way
 */
export function farewell(parameters, way = "complete") {
  const { text } = closingOf(parameters)[way];
  const words = text && el("p", { class: "author-text", dir: "auto" }, text);
  const back = wayBack(parameters, way);
  // A text in place of the page's own is said by whoever shows it.
  const parts = [way === "complete" && words, ...back].filter(Boolean);
  return parts.length ? el("section", {}, ...parts) : null;
}

/** @param {SurveyParameters} parameters */
export const answered = (parameters) => {
  const back = wayBack(parameters, "complete");
  return back.length ? el("section", {}, ...back) : null;
};

/**
 * @param {SurveyParameters} parameters
 * @param {Way} way
 */
export const wordsFor = (parameters, way) => closingOf(parameters)[way].text;

/**
 * @param {SurveyParameters} parameters
 * @param {Way} way
 * @returns {HTMLElement[]}
 */
function wayBack(parameters, way) {
  const { panel, [way]: { address } } = closingOf(parameters);
  if (!panel || !address) return [];
  const { name, key } = panel;
  if (document.getElementById("respond")?.dataset.preview === "true") {
    return [el("p", { class: "notice" }, interpolate(gettext("Respondents get a button here that leads to %(address)s."), { address }))];
  }
  const id = readFragment(location.hash).get(key) ?? "";
  const isKnown = ID.test(id);
  if (address.includes(PLACE) && !isKnown) {
    return [el("p", { class: "quiet" }, interpolate(gettext("Your link brought no id of %(name)s, so no button leads back there."), { name }))];
  }
  const href = address.replace(PLACE, () => encodeURIComponent(id));
  const link = { class: "button button--primary", href, target: "_top", rel: "noreferrer", referrerpolicy: "no-referrer" };
  return [
    el("p", {}, interpolate(LEARNS[way](), { name })),
    el("p", {}, el("a", link, interpolate(gettext("Back to %(name)s"), { name }))),
  ];
}

/** @type {Record<Way, () => string>} */
const LEARNS = {
  complete: () => gettext("If you press the button, %(name)s learns that you have finished, and when. It gets none of your answers."),
  full: () => gettext("If you press the button, %(name)s learns that your group is full, and when you were here. It gets nothing else."),
  screened: () => gettext("If you press the button, %(name)s learns that the survey is not for you, and when you were here. It gets nothing else."),
};
