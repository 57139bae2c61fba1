/**
 * Defective orders of answers: each has one part of the real page replaced. What is sent is the text of the orders that
 * are kept, of those in which somebody saw the answers, and of all reports.
 */

import { arranged, beside, ordered } from "/static/js/features/option_orders/page.js";
import { drawReport } from "/static/js/rr/device.js";
import { uniformBelow } from "/static/js/rr/random.js";

/** Somebody presses their own answer, wherever it stands. */
const pressing = (question, answer, seen) => ({ categories }) => {
  seen[question.id] = categories.map((category) => question.categories.indexOf(category)).join("");
  return { choice: () => categories.indexOf(question.categories[answer]) };
};

/** What somebody sees and presses of a question as it is arranged now; `chosen` is what its control gives. */
const asked = (question, answer, seen) => {
  const chosen = arranged(question, { control: pressing(question, answer, seen) }).control(question).choice();
  return { chosen, place: [...seen[question.id]].map(Number).indexOf(answer) };
};

/**
 * `order` picks the orders. `pick` says what the device gets, `redraw` which bytes it gets, and `keep` what is sent of
 * the orders.
 */
const answering =
  ({ order = ordered, pick = ({ chosen }) => chosen, redraw = (source) => source, keep = (orders) => orders }) =>
  (parameters, devices, answers, source) => {
    const [seen, taken] = [{}, []];
    const noted = (count) => {
      const bytes = source(count);
      taken.push(...bytes);
      return bytes;
    };
    order(parameters, noted, answers);
    const own = parameters.questions.map((question, i) => asked(question, answers[i], seen));
    const deviceSource = redraw(source, taken);
    const reports = own.map((each, i) => drawReport(devices[i], pick(each), deviceSource));
    const { orders } = beside({ reports: {} });
    return JSON.stringify({ orders: orders && keep(orders, own, source), seen, reports });
  };

export const shipping = answering({});

/** Drawn again while the true answer comes first, against people who take whatever does. */
export const neverTrueFirst = answering({
  order: (parameters, source, [answer]) => {
    do ordered(parameters, source);
    while (asked(parameters.questions[0], answer, {}).place === 0);
  },
});

/** A number is what is left of a byte. */
export const moduloOrder = answering({
  order: (parameters, source) => ordered(parameters, (count) => Uint8Array.from(source(count), (byte) => byte % 7)),
});

/** The first bits of each draw of a device are those of which the orders were made. */
export const sameBits = answering({
  redraw: (source, taken) => (count) => {
    const bytes = source(count);
    bytes[0] = (bytes[0] >> 3) | (taken.shift() << 5);
    return bytes;
  },
});

/** What is kept is where the answer stood that was pressed. */
export const placeKept = answering({
  keep: (orders, own) => Object.fromEntries(Object.keys(orders).map((id, i) => [id, own[i].place])),
});

/** What is kept is drawn when it is sent. */
export const drawnAnew = answering({ keep: (orders, _own, source) => ({ ...orders, q1: uniformBelow(7, source) }) });

/** The device gets the place at which the answer stood. */
export const placeForAnswer = answering({ pick: ({ place }) => place });

/** Each answer changes places with any other one, so that some orders are likelier. */
export const anyExchange = answering({
  order: (parameters, source) => {
    const order = [...parameters.questions[0].categories.keys()];
    const wanted = [...order];
    const exchange = (list, one, other) => ([list[one], list[other]] = [list[other], list[one]]);
    for (const place of order) exchange(wanted, place, uniformBelow(wanted.length, source));
    // The page's own script, with the draws that lead to this order.
    ordered(parameters, () => {
      const last = order.length - 1;
      const draw = order.indexOf(wanted[last]);
      exchange(order, last, draw);
      order.pop();
      return Uint8Array.of(draw);
    });
  },
});
