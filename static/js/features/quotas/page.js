import { byId, el } from "../../lib/dom.js";
import { gettext } from "../../lib/i18n.js";
import { devicesOf } from "../../rr/wire.js";
import { screen } from "../../ui/pager.js";

// Who is still asked follows from direct answers, in this browser: which quotas are full came with the page.

/**
 * @param {SurveyParameters} parameters
 * @returns {Gate}
 */
export function gate(parameters) {
  const { quotas } = /** @type {WithQuotas} */ (parameters);
  const isFull = fullPlaces(byId("respond").dataset.full);
  const deciding = new Set(quotas.flatMap(({ given }) => given.map(({ question }) => question)));
  /** @type {(page: AskedPage, asked: readonly Question[]) => boolean} whether an answer on it decides whether another question on it is asked */
  const isMixed = ({ places }, asked) => places.length > 1 && places.some((place) => deciding.has(asked[place].id));
  return {
    apart: (pages, asked) =>
      pages.flatMap((page) =>
        isMixed(page, asked) ? page.places.map((place, i) => (i ? { places: [place] } : { ...page, places: [place] })) : [page],
      ),
    stop: (flow) => {
      const own = quotas.map((quota, i) => isOf(quota, flow) && wayOf(quota, isFull(i)));
      const way = own.includes("screened") ? "screened" : own.includes("full") ? "full" : null;
      return way && stopped(flow, way);
    },
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
 * Takes back what was answered: nothing of it is sent.
 * @param {import("../../ui/flow.js").Flow} flow
 * @param {"full" | "screened"} way
 */
function stopped(flow, way) {
  flow.blocks.forEach((block) => block.forget());
  flow.options.parts.route?.forget();
  flow.session.setDirect(flow.parameters.devices);
  return lastScreen(flow, way);
}

/**
 * @param {import("../../ui/flow.js").Flow} flow
 * @param {"full" | "screened"} way
 */
function lastScreen({ options: { whole, parts: { features = [] } } }, way) {
  const [title, words] = WORDS[way].map((text) => text());
  const own = features.map((part) => part.wordsFor?.(whole, way)).find(Boolean);
  const text = own ? el("p", { class: "author-text", dir: "auto" }, own) : el("p", {}, words);
  const nothing = gettext("Nothing was sent, and this page keeps none of your answers.");
  const body = [text, el("p", {}, nothing), ...features.map((part) => part.farewell?.(whole, way))];
  return screen({ title: el("h2", {}, title), body: body.filter(Boolean) });
}
