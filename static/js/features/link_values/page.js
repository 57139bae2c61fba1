import { devicesOf } from "../../rr/wire.js";
import { answersOf, opens } from "./door.js";

// What a link says is sent like a direct answer, and asked of nobody.

/** What is asked first is no more the first question of the document; the twin is `needs_all` of views.py. */
export const needsAll = () => true;

/**
 * @param {SurveyParameters} parameters in the language of the page
 * @returns {Given}
 */
export function given(parameters) {
  const linked = /** @type {WithLinkValues} */ (parameters);
  opens(linked);
  keepAddress(location.hash);
  const answers = answersOf(linked).map((answer, i) => {
    const question = parameters.questions[i];
    return { question, answer, isSaid: answer < linked.link_values[i].values.length };
  });
  /** @param {Parts} parts */
  const hear = ({ route, wording }) =>
    answers.forEach(({ question, answer, isSaid }) => {
      const real = { categories: [answer] };
      route?.follow(question).onAnswer?.(real);
      // Where a link says nothing, no text says that.
      wording?.hear(question, isSaid ? real : null);
    });
  const ids = linked.link_values.map(({ question }) => question);
  return {
    tell: (parts) => {
      hear(parts);
      // The page forgets answers when it is left, and comes back with what is in its address.
      addEventListener("pageshow", ({ persisted }) => persisted && hear(parts));
    },
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
}
