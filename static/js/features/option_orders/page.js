import { el } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { uniformBelow } from "../../rr/random.js";
import { shuffle } from "../../rr/shuffle.js";
import { answerCount } from "../../rr/wire.js";
import { answers } from "../../ui/question.js";
import { countOf } from "./rules.js";

// The answers to some questions stand in an order that is drawn when the page opens, before anything is answered. It
// is in memory only: controls alone know it, and what they give is the answer's place in the document. Whatever
// explains a device has the order of the document. An order that is kept is stored with the report of its question,
// and sent with all of them.

/** @type {WeakMap<Question, number[]>} the answers to a question, by their places in the document */
const drawn = new WeakMap();
/** @type {Map<string, number>} the orders that are kept, by the ids of their questions */
const kept = new Map();

/** @type {NonNullable<FeaturePart["ordered"]>} */
export function ordered(parameters, randomBytes) {
  const { questions, option_orders: orders } = /** @type {WithOptionOrders} */ (parameters);
  for (const order of orders) {
    const question = questions.find(({ id }) => id === order.question);
    // Where chance picks questions, some are not asked.
    if (!question) continue;
    const places = question.categories.map((_, place) => place);
    const moving = places.splice(0, answerCount(question) - order.last);
    if (order.by === "shuffled") {
      drawn.set(question, [...shuffle(moving, randomBytes), ...places]);
      continue;
    }
    const number = uniformBelow(countOf(order, question), randomBytes);
    if (order.kept) kept.set(question.id, number);
    drawn.set(question, [...turned(order, moving, number), ...places]);
  }
  return parameters;
}

/**
 * @param {OptionOrder} order
 * @param {number[]} places
 * @param {number} number of the order: whether it is the other direction, or which answer is the first
 */
const turned = ({ by }, places, number) =>
  by === "reversed" ? (number ? [...places].reverse() : places) : [...places.slice(number), ...places.slice(0, number)];

/** @type {NonNullable<FeaturePart["beside"]>} */
export function beside({ orders }, ids = [...kept.keys()]) {
  // A question that another tab or an earlier visit has drawn for has the order of that one.
  const own = [...kept].filter(([id]) => ids.includes(id));
  return kept.size ? { orders: { ...Object.fromEntries(own), ...orders } } : {};
}

/** @type {NonNullable<FeaturePart["below"]>} */
export function below({ id }) {
  if (!kept.has(id)) return null;
  return el("p", { class: "small quiet" }, gettext("Chance picked the order of these answers when the page opened. Which one it was is sent as well."));
}

/** @type {NonNullable<FeaturePart["rows"]>} */
export const rows = ({ questions }, { orders = {} }) =>
  Object.entries(orders).map(([id, order]) => {
    const { text } = /** @type {Question} */ (questions.find((question) => question.id === id));
    const meaning = gettext("Which order of its answers chance picked, before you answered: %(question)s");
    return [`orders.${id}`, String(order), interpolate(meaning, { question: text })];
  });

/** @type {NonNullable<FeaturePart["arranged"]>} */
export function arranged(question, found) {
  const order = drawn.get(question);
  return order && { ...found, control: arrangedControl(order, found?.control ?? listed) };
}

/** @type {MakeControl} */
const listed = (question, _device, naming, onChange) => answers(question, naming, onChange);

/**
 * @param {number[]} order
 * @param {MakeControl} make
 * @returns {MakeControl}
 */
function arrangedControl(order, make) {
  return (question, device, naming, onChange) => {
    const categories = order.map((place) => question.categories[place]);
    const shown = /** @type {Control<any>} */ (make({ ...question, categories }, device, naming, onChange));
    const choice = () => {
      const chosen = shown.choice();
      if (!Array.isArray(chosen)) return chosen === null ? null : order[chosen];
      return question.categories.map((_, place) => chosen[order.indexOf(place)]);
    };
    const offer = shown.offer && ((/** @type {number} */ answer, /** @type {boolean} */ isOffered) => shown.offer?.(order.indexOf(answer), isOffered));
    return /** @type {AnyControl} */ ({ ...shown, choice, offer });
  };
}
