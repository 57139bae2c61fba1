// Where the pages of a survey in sections begin and end, and what stands above their questions: from the document
// alone, whatever is answered. An order by chance is drawn when the page opens, and is not sent.

import { el } from "../../lib/dom.js";
import { inOrderByChance } from "./order.js";

/**
 * Whether any question may be asked first, or several on the first page; the twin is `needs_all` of views.py.
 * @param {SurveyParameters} parameters
 */
export function needsAll(parameters) {
  const { sections } = /** @type {WithSections} */ (parameters);
  const first = sections.find(({ questions }) => questions.length);
  return Boolean(first?.together && first.questions.length > 1) || sections.some(({ random, moves }) => random || moves);
}

/** @type {NonNullable<FeaturePart["ordered"]>} */
export const ordered = (parameters, randomBytes, units) =>
  inOrderByChance(/** @type {WithSections} */ (parameters), randomBytes, units);

/**
 * @param {SurveyParameters} parameters
 * @returns {AskedPage[]}
 */
export function pages(parameters) {
  const { sections, questions: asked } = /** @type {WithSections} */ (parameters);
  return sections.flatMap((section, at) => {
    const places = section.questions.map((name) => asked.findIndex(({ id }) => id === name)).filter((place) => place >= 0);
    // Nobody is asked anything of it.
    if (section.questions.length && !places.length) return [];
    const parts = section.together || !places.length ? [places] : places.map((each) => [each]);
    // A statement just before may have said the title.
    const begun = !section.text && !sections[at - 1]?.questions.length && sections[at - 1]?.title === section.title;
    return parts.map((part, i) => (i || begun ? { places: part, head: reminder(section) } : beginning(part, section)));
  });
}

/**
 * The page with which a section begins: its title takes the focus, so that its text is read.
 * @param {number[]} places
 * @param {Section} section
 * @returns {AskedPage}
 */
function beginning(places, { title, text }) {
  if (!title && !text) return { places };
  const heading = title && el("h2", { class: "section__title", dir: "auto" }, title);
  const words = text && el("p", { class: "author-text", dir: "auto" }, text);
  const head = el("div", { class: "section" }, heading, words);
  return { places, head, title: heading || undefined, begins: true };
}

/** @param {Section} section */
const reminder = ({ title }) => (title ? el("p", { class: "section__name small quiet", dir: "auto" }, title) : undefined);
