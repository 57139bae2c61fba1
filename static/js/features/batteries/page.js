// Batteries: the items stand in one table, or one below the other where there is no room for it, and one press draws
// for all of them. What is drawn and kept of each is what a question on its own draws and keeps.

import { shuffle } from "../../rr/shuffle.js";
import { devicesOf } from "../../rr/wire.js";
import { Table } from "./table.js";

/** @param {SurveyParameters} parameters */
const batteriesOf = (parameters) => /** @type {WithBatteries} */ (parameters).batteries;

/**
 * Whether all has to be here before the first question; the twin is `needs_all` of views.py.
 * @param {SurveyParameters} parameters
 */
export const needsAll = (parameters) => batteriesOf(parameters).some(({ questions }) => questions.includes(parameters.questions[0].id));

/** @type {NonNullable<FeaturePart["joins"]>} */
export const joins = (parameters) => ({ units: batteriesOf(parameters).map(({ questions }) => questions), gathered, blocks });

/**
 * The survey with the items of each battery in an order that chance picks, where it says so.
 * @type {NonNullable<FeaturePart["ordered"]>}
 */
export function ordered(parameters, randomBytes) {
  const { questions, sections } = /** @type {SurveyParameters & Partial<WithSections>} */ (parameters);
  const chance = batteriesOf(parameters).filter(({ random }) => random);
  /** Which item stands in the place of which. */
  const placed = new Map(chance.flatMap(({ questions: ids }) => shuffle(ids, randomBytes).map((id, i) => [ids[i], id])));
  /** @param {string} id */
  const inPlace = (id) => placed.get(id) ?? id;
  return {
    ...parameters,
    questions: questions.map((each) => questions.find(({ id }) => id === inPlace(each.id)) ?? each),
    ...(sections && { sections: sections.map((section) => ({ ...section, questions: section.questions.map(inPlace) })) }),
  };
}

/**
 * The pages, with one for all items of a battery.
 * @type {NonNullable<Parts["gathered"]>}
 */
function gathered(pages, parameters) {
  /** @param {number} place */
  const batteryAt = (place) => batteriesOf(parameters).find(({ questions }) => questions.includes(parameters.questions[place].id));
  /** @type {AskedPage[]} */
  const found = [];
  for (const page of pages) {
    const before = found[found.length - 1];
    const battery = page.places.length ? batteryAt(page.places[0]) : undefined;
    const goesOn = battery && before?.places.length && battery === batteryAt(before.places[before.places.length - 1]);
    const places = goesOn ? [...before.places, ...page.places] : page.places;
    const isWhole = battery && places.length === battery.questions.length;
    found.push({ ...(goesOn ? found.pop() : page), places, ...(isWhole && { reads: wordsOf(battery, parameters) }) });
  }
  return found;
}

/**
 * What there is to read of a battery, as if it were one question.
 * @param {Battery} battery
 * @param {SurveyParameters} parameters
 * @returns {Question}
 */
function wordsOf({ text, questions: names }, { questions }) {
  const items = questions.filter(({ id }) => names.includes(id));
  return { ...items[0], text: [text, ...items.map((item) => `${item.text} ${item.help}`)].join(" "), help: "" };
}

/** @type {NonNullable<Parts["blocks"]>} */
function blocks(flow, asked) {
  const { parameters, session, options, own } = flow;
  /** @type {Map<string, Block>} */
  const made = new Map();
  for (const { text, questions: names } of batteriesOf(parameters)) {
    const items = asked.filter(({ id }) => names.includes(id));
    if (!items.length) continue;
    const table = new Table(text, items, {
      devices: (question) => devicesOf(parameters, question),
      follow: (question) => options.parts.follow?.(question),
      parts: options.parts,
      session,
      recall: own?.recall?.(session, options.parts),
      onTrouble: (error) => flow.trouble(error),
      onResolved: () => flow.pager.warn(""),
      numbers: items.map((item) => parameters.questions.indexOf(item) + 1),
    });
    items.forEach(({ id }, i) => made.set(id, table.items[i]));
  }
  return made;
}
