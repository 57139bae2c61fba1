// What a link says behind its #, which is sent to nobody: `#batch=a`. Only what the document has in its list counts,
// the page says it before anything is asked, and it is sent like a direct answer. The address keeps it for a reload.

import { readFragment } from "../../lib/fragment.js";
import { devicesOf } from "../../rr/wire.js";

/** What is asked first is no more the first question of the document; the twin is `needs_all` of views.py. */
export const needsAll = () => true;

/**
 * @param {SurveyParameters} parameters in the language of the page
 * @returns {Given}
 */
export function given(parameters) {
  const { link_values: found } = /** @type {WithLinkValues} */ (parameters);
  const arrived = location.hash;
  const said = readFragment(arrived);
  const answers = found.map(({ question: id, values }, i) => {
    const place = values.indexOf(said.get(id) ?? "");
    return { question: parameters.questions[i], answer: place < 0 ? values.length : place, isSaid: place >= 0 };
  });
  for (const { question, answer } of answers) {
    const line = document.querySelector(`[data-given="${question.id}"]`);
    if (line) line.textContent = question.categories[answer];
  }
  keepAddress(arrived);
  const ids = found.map(({ question }) => question);
  return {
    answers,
    reports: Object.fromEntries(answers.flatMap(({ question, answer }) => devicesOf(parameters, question).map(({ id }) => [id, answer]))),
    without: (asked) => ({ ...asked, questions: asked.questions.filter(({ id }) => !ids.includes(id)) }),
  };
}

/**
 * Another link in this tab is another arrival; a place of the page is none, and a reload has the values still.
 * @param {string} arrived what stood behind the #
 */
function keepAddress(arrived) {
  addEventListener("hashchange", () => {
    if (location.hash === arrived) return;
    if (location.hash.includes("=")) location.reload();
    else history.replaceState(history.state, "", location.pathname + location.search + arrived);
  });
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".languages a"))) link.hash = arrived;
}
