/** Other ways to scramble an order: same arguments as drawReport. */

import { drawReport } from "/static/js/rr/device.js";
import { numberOf, orderOf } from "/static/js/rr/ranking.js";

const below = (count, randomBytes) => {
  const [a, b] = randomBytes(2);
  return Math.floor(((a * 256 + b) / 65536) * count);
};
const shuffled = (list, randomBytes) => {
  const order = [...list];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = below(last + 1, randomBytes);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
};
const orders = ({ table: { items } }) => Array.from({ length: items }).reduce((product, _, i) => product * (i + 1), 1);

/** An order with the refusal left as it is: `change` makes another of it. */
const onOrders = (change) => (device, truth, randomBytes) => {
  if (truth === orders(device)) return truth;
  return numberOf(change(orderOf(truth, device.table.items), randomBytes, device));
};

/** Neighbours change places or not, each with chance 1/2, from the top: most orders never come out. */
export const neighboursOnly = onOrders((order, randomBytes) => {
  for (let i = 1; i < order.length; i += 1) {
    if (below(2, randomBytes)) [order[i - 1], order[i]] = [order[i], order[i - 1]];
  }
  return order;
});

/** What is first is what people care for most, so it stays. */
export const firstStays = onOrders(([first, ...rest], randomBytes) => [first, ...shuffled(rest, randomBytes)]);

/** Every order alike, whatever was ranked: nothing is told, and nothing can be estimated. */
export const anyOrder = onOrders((order, randomBytes) => shuffled(order, randomBytes));

/** The exchange of places is taken for one of items: right for whoever ranks as the list stands. */
export const itemsForPlaces = (device, truth, randomBytes) => {
  if (truth === orders(device)) return drawReport(device, truth, randomBytes);
  const report = drawReport(device, 0, randomBytes);
  if (report === orders(device)) return report;
  const exchange = orderOf(report, device.table.items);
  return numberOf(orderOf(truth, device.table.items).map((item) => exchange[item]));
};
