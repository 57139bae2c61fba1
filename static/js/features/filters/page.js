import { el } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { millionths } from "../../rr/scale.js";
import { devicesOf, inapplicable } from "../../rr/wire.js";
import { waitingScreen } from "../../ui/pager.js";
import { Pace } from "./pace.js";

// Whom a question is for follows from real answers. What is kept of these, in memory and nowhere else, is whether
// each comparison is true; a reload forgets it.

/**
 * @param {SurveyParameters} parameters
 * @returns {Route}
 */
export function route(parameters) {
  const { filters } = /** @type {WithFilters} */ (parameters);
  const comparisons = filters.flatMap(({ any }) => any.flat());
  /** @type {Map<Comparison, boolean>} */
  const truths = new Map();
  let pace = new Pace();
  /** @type {(question: Question, answer: RealAnswer | null) => void} `answer`: null once it is taken back */
  const learn = ({ id }, answer) => {
    for (const each of comparisons.filter(({ question }) => question === id)) {
      if (answer === null) truths.delete(each);
      else truths.set(each, isTrue(each, answer));
    }
  };

  const isForSome = (/** @type {Question} */ { id }) => filters.some(({ question }) => question === id);
  /** @type {Route} */
  const own = {
    apart: (pages, asked) => pages.flatMap((page) => (page.places.some((place) => isForSome(asked[place])) ? oneByOne(page) : [page])),
    follow: (question) => ({
      ...(comparisons.some(({ question: id }) => id === question.id) && {
        onAnswer: (answer) => learn(question, answer),
        assurance: question.randomized ? keepsWords() : undefined,
      }),
      ...(question.not_applicable && { onAsked: passing(question) }),
    }),
    forget: () => truths.clear(),
    memory: () => ({ truths: comparisons.map((each) => truths.get(each)), pace }),
    remember: (memory) => {
      comparisons.forEach((each, i) => memory.truths[i] !== undefined && truths.set(each, memory.truths[i]));
      pace = /** @type {Pace} */ (memory.pace);
    },
    stateOf: (question, session) => {
      const filter = filters.find(({ question: id }) => id === question.id);
      if (!filter) return "asked";
      // A scrambled answer that this page has not seen given: it was given before a reload.
      const held = (/** @type {Comparison} */ each) =>
        truths.get(each) ?? (isReported(parameters, each.question, session) ? undefined : false);
      const found = some(filter.any.map((every) => all(every.map(held))));
      if (found === undefined) return "offered";
      if (found) return "asked";
      return filter.unasked ? "unasked" : "passed";
    },
    show: (question, answers) => pace.show(question, answers),
    passFrom: async (flow, at) => {
      let last = at;
      for (let next = at; next < flow.pages.length; next = flow.after(last)) {
        const { places, reads } = flow.pages[next];
        // What stands on one page is for the same people.
        if (!places.length || !places.every((place) => flow.blocks[place] && flow.asking(place) === "passed")) break;
        for (const place of places) {
          if (!(await flow.blocks[place].pass?.())) return null;
          const question = flow.parameters.questions[place];
          pace.pass(reads ?? question, places.length);
          learn(question, { categories: [Number(inapplicable(question))] });
        }
        last = next;
      }
      return last;
    },
    hold: (show) => hold(pace.pause(), show),
    previewed: (shown, asking = "asked") => ({ ...own, stateOf: ({ id }) => (id === shown ? /** @type {Asking} */ (asking) : "unasked") }),
  };
  return own;
}

/**
 * A page for each question of one.
 * @param {AskedPage} page
 * @returns {AskedPage[]}
 */
const oneByOne = (page) => page.places.map((place, i) => (i ? { places: [place] } : { ...page, places: [place] }));

const keepsWords = () => gettext("This page remembers only which later questions are for you, and forgets it when you leave.");

/**
 * Says in the place of a question that it is not for this person.
 * @param {Question} question with “does not apply”
 * @returns {NonNullable<BlockOptions["onAsked"]>}
 */
function passing(question) {
  const answer = question.categories[Number(inapplicable(question))];
  const words = gettext(
    "Your browser reports “%(answer)s”, scrambled like every answer. From what is sent nobody can tell whether you were asked.",
  );
  const notice = el("p", { class: "notice" }, interpolate(words, { answer }));
  /** @type {ChildNode[]} */
  let text;
  return ({ title, lead }, isPassed) => {
    text ??= [...title.childNodes];
    title.replaceChildren(...(isPassed ? [gettext("This question is not for you")] : text));
    if (isPassed) lead.after(notice);
    else notice.remove();
  };
}

/**
 * Waits, so that the time until something is sent does not tell how many questions somebody was asked.
 * @param {number} pause in milliseconds
 * @param {(page: PageScreen) => void} show
 */
async function hold(pause, show) {
  if (!pause) return;
  const { title, node, say } = waitingScreen(gettext("Sending your answers"));
  const words = gettext("They are sent in %(seconds)s seconds. The wait hides how many questions were for you. Keep this page open.");
  show({ title, node });
  for (let left = Math.ceil(pause / 1000); left > 0; left--) {
    say(interpolate(words, { seconds: left }), false);
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, 1000)));
    pause -= 1000;
  }
}

/**
 * @param {Comparison} comparison
 * @param {RealAnswer} answer
 */
function isTrue({ answers, above, below, negated }, answer) {
  const { categories, number } = answer;
  const found = number === undefined
    ? categories.some((category) => answers.includes(category))
    : (above === null || number > millionths(above)) && (below === null || number < millionths(below));
  return found !== negated;
}

/**
 * @param {SurveyParameters} parameters
 * @param {string} id
 * @param {import("../../lib/session.js").Session} session
 */
function isReported(parameters, id, session) {
  const question = parameters.questions.find((each) => each.id === id);
  return Boolean(question?.randomized && session.reportsOf(devicesOf(parameters, question)));
}

// Of what is true, false, or not known.

/** @param {(boolean | undefined)[]} truths */
const all = (truths) => (truths.includes(false) ? false : truths.includes(undefined) ? undefined : true);

/** @param {(boolean | undefined)[]} truths */
const some = (truths) => (truths.includes(true) ? true : truths.includes(undefined) ? undefined : false);
