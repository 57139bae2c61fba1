// Help stands below its questions from the moment that they are shown, whatever is answered: a copy of what
// the server has put into the page. The script of the exit, exit.js, runs by itself before anything is checked.

/** @returns {Element | null} */
function box() {
  const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("support-box"));
  return /** @type {Element | undefined} */ (template?.content.firstElementChild?.cloneNode(true)) ?? null;
}

/**
 * @param {Question} question
 * @param {SurveyParameters} parameters
 */
export const below = ({ id }, parameters) =>
  /** @type {WithSupport} */ (parameters).support.after.includes(id) ? box() : null;

/** @param {SurveyParameters} parameters */
export const farewell = (parameters) => (/** @type {WithSupport} */ (parameters).support.after.length ? null : box());
