import { byId, el } from "../../lib/dom.js";
import { gettext } from "../../lib/i18n.js";
import { devicesOf } from "../../rr/wire.js";
import { screen } from "../../ui/pager.js";

// Who is still asked follows from direct answers, in this browser: which quotas are full came with the page.

/** @type {Route} where nothing else decides who is asked what */
const STRAIGHT = {
  apart: (pages) => pages,
  follow: () => ({}),
  forget: () => {},
  memory: () => ({ truths: [], pace: {} }),
  remember: () => {},
  stateOf: () => "asked",
  show: () => {},
  passFrom: async (_flow, at) => at,
  hold: async () => {},
};

/**
 * @param {SurveyParameters} parameters
 * @returns {Gate}
 */
export function gate(parameters) {
  const { quotas } = /** @type {WithQuotas} */ (parameters);
  const isFull = fullPlaces(byId("respond").dataset.full);
  const deciding = new Set(quotas.flatMap(({ given }) => given.map(({ question }) => question)));
  /** @param {import("../../ui/flow.js").Flow} flow */
  const stops = (flow) => {
    const own = quotas.map((quota, i) => isOf(quota, flow) && wayOf(quota, isFull(i)));
    const way = own.includes("screened") ? "screened" : own.includes("full") ? "full" : null;
    if (way) flow.pager.finish(lastScreen(flow, way));
    return Boolean(way);
  };
  return {
    apart: (pages, { questions }) =>
      pages.flatMap((page) => {
        const count = page.places.reduce((last, place, i) => (deciding.has(questions[place].id) ? i + 1 : last), 0);
        const later = page.places.slice(count);
        // Nobody answers a scrambled question beside one that decides whether they are asked it.
        const isParted = count && later.some((place) => questions[place].randomized);
        return isParted ? [{ ...page, places: page.places.slice(0, count) }, { places: later }] : [page];
      }),
    around: (route = STRAIGHT) => ({
      ...route,
      stops,
      passFrom: async (flow, at) => (stops(flow) ? null : route.passFrom(flow, at)),
    }),
  };
}

/**
 * @param {string} [text] places with commas between them
 * @returns {(place: number) => boolean}
 */
function fullPlaces(text = "") {
  const places = text.split(",").filter(Boolean).map(Number);
  return (place) => places.includes(place);
}

/** @type {(quota: Quota, isFull: boolean) => keyof typeof WORDS | null} */
const wayOf = ({ wanted }, isFull) => (wanted === 0 ? "screened" : isFull ? "full" : null);

/**
 * Whether a quota is about somebody with the answers that were given so far.
 * @param {Quota} quota
 * @param {import("../../ui/flow.js").Flow} flow
 */
function isOf({ given }, { options: { reported: parameters }, session }) {
  return given.every(({ question: id, answers }) => {
    const question = parameters.questions.find((each) => each.id === id);
    const [answer] = (question && session.reportsOf(devicesOf(parameters, question))) ?? [];
    return answers.includes(Number(answer ?? NaN));
  });
}

/** @type {Record<"full" | "screened", [title: () => string, words: () => string]>} */
const WORDS = {
  full: [
    () => gettext("Thank you. Your group is complete"),
    () => gettext("As many people of your group have answered as this survey needs. It is not about you or your answers."),
  ],
  screened: [
    () => gettext("Thank you. This survey is for others"),
    () => gettext("It is for people with other answers to the first questions."),
  ],
};

/**
 * The end of somebody of whom nothing is sent, once all that they have said is forgotten.
 * @param {import("../../ui/flow.js").Flow} flow
 * @param {"full" | "screened"} way
 */
function lastScreen({ blocks, parameters, session, options: { whole, parts: { features = [], route } } }, way) {
  blocks.forEach((block) => block.forget());
  route?.forget();
  session.setDirect(parameters.devices);
  const [title, words] = WORDS[way].map((text) => text());
  const own = features.map((part) => part.wordsFor?.(whole, way)).find(Boolean);
  const text = own ? el("p", { class: "author-text", dir: "auto" }, own) : el("p", {}, words);
  const nothing = gettext("Nothing was sent, and this page keeps none of your answers.");
  const body = [text, el("p", {}, nothing), ...features.map((part) => part.farewell?.(whole, way))];
  return screen({ title: el("h2", {}, title), body: body.filter(Boolean) });
}
