/** Orders of answers: how chance picks them; the twin is surveys/features/option_orders/section.py. */

import { PAGE, isDrawn } from "../../rr/device.js";
import { checkKeys, isCode } from "../../rr/shape.js";
import { answerCount } from "../../rr/wire.js";

/** @type {Record<string, string[]>} */
const WAYS = { list: ["shuffled", "rotated", "reversed"], boxes: ["shuffled", "rotated", "reversed"], scale: ["reversed"] };

// What is kept is one digit, so that it makes no response longer than another one.
const MOST_KEPT = 10;

/**
 * How many orders there are of so many answers, where one can be kept.
 * @param {OptionOrder} order
 * @param {Question} question
 */
export const countOf = ({ by, last }, question) => (by === "reversed" ? 2 : answerCount(question) - last);

/** @type {NonNullable<CheckPart["checkSection"]>} */
export function checkSection(parameters, fail, features) {
  const { questions, option_orders: orders } = /** @type {WithOptionOrders} */ (parameters);
  if (!Array.isArray(orders)) fail("not_a_list", "option_orders");
  if (!orders.length) fail("empty", "option_orders");
  const together = features.flatMap((feature) => feature.askedTogether?.(parameters) ?? []).flat();
  let before = -1;
  orders.forEach((order, i) => {
    /** @type {Fail} */
    const failHere = (code, key) => fail(code, ["option_orders", i, key].filter((part) => part !== "").join("."));
    checkKeys(order, ["question", "by", "last", "kept"], [], failHere);
    const { question: name, by, last, kept } = order;
    if (!WAYS.list.includes(by)) failHere("bad_choice", "by");
    if (!isCode(last)) failHere("bad_number", "last");
    if (typeof kept !== "boolean") failHere("not_a_boolean", "kept");
    const place = questions.findIndex(({ id }) => id === name);
    if (place <= before) failHere("unknown_question", "question");
    before = place;
    if (together.includes(name)) failHere("bad_order", "question");
    if (!WAYS[questions[place].control]?.includes(by)) failHere("bad_order", "by");
    if (answerCount(questions[place]) - last < 2) failHere("bad_order", "last");
    if (!kept) return;
    const isFew = by !== "shuffled" && countOf(order, questions[place]) <= MOST_KEPT;
    if (!isFew || !canKeep(parameters, features)) failHere("bad_order", "kept");
  });
}

/** @param {AnyDevice} device whether chance may pick its questions */
const isPair = ({ table, stratum }) => table.form === "joint" && stratum !== PAGE;

/**
 * Whether a response may say an order: where answers are kept together, and nothing else tells people apart.
 * @param {SurveyParameters} parameters
 * @param {CheckPart[]} features
 */
const canKeep = ({ mode, linkage, devices }, features) =>
  mode === "open" && linkage === "together" && devices.every((device) => isDrawn(device) && !isPair(device)) && !features.some(({ takesChains }) => takesChains);
