/**
 * Defective reports on a roster: each has one part of the real page replaced. `choose` takes the names that
 * are ticked from the page's own list, `draw` is the device, `reports` all that one person sends.
 */

import { memoryStore } from "/static/js/lib/store.js";
import { Session } from "/static/js/lib/session.js";
import { drawReport } from "/static/js/rr/device.js";
import { uniformBelow } from "/static/js/rr/random.js";
import { rosterControl } from "/static/js/features/roster/list.js";

const QUESTION = { categories: [], required: true };

/** The page's own list with these names ticked. */
function ticked(roster, person, codes) {
  const { node, choice } = rosterControl(roster, person).control(QUESTION, null, {}, () => {});
  const boxes = [...node.querySelectorAll(".roster__name input")];
  const names = boxes.map((box) => box.closest("label").textContent);
  // Groups have an order of their own, so boxes are found by their names.
  for (const code of codes) {
    const box = boxes[names.indexOf(person.names[roster.codes.indexOf(code)])];
    box.checked = true;
    box.dispatchEvent(new Event("change", { bubbles: true }));
  }
  if (!codes.length) {
    const none = node.querySelector(".roster__none input");
    none.checked = true;
    none.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return { node, choice };
}

const choose = (roster, person, codes) => ticked(roster, person, codes).choice();

export const shipping = { choose, draw: drawReport };

/** A draw for each bit; `entry` and `number` say what is compared with what. */
const bitByBit = (entry, number) => ({
  ...shipping,
  draw: ({ table }, { ties }, source) => {
    const state = {};
    const bits = ties.map((tie, bit) => Number(number(table, bit, source, state) < entry(table, tie, bit)));
    return bits.join("");
  },
});
const own = ({ one, zero }, tie) => (tie ? one : zero);
const fresh = ({ denominator }, _bit, source) => uniformBelow(denominator, source);

/** The device itself: the mutants below differ from it in one thing. */
export const alike = bitByBit(own, fresh);

/** The first bit is sent as it is. */
export const oneLeftAsItIs = bitByBit((table, tie, bit) => (bit ? own(table, tie) : tie * table.denominator), fresh);

/** Both chances are wrong by a thousandth, away from each other. */
export const thousandthOff = bitByBit((table, tie) => own(table, tie) + (tie ? 0.001 : -0.001) * table.denominator, fresh);

/** One draw for two neighbours: right for each alone. */
export const oneDrawForTwo = bitByBit(own, (table, bit, source, state) => {
  if (bit % 2 === 0) state.drawn = fresh(table, bit, source);
  return state.drawn;
});

/** Every bit as if it were ticked. */
export const belowOneForAll = bitByBit(({ one }) => one, fresh);

/** Without a tie nothing is drawn. */
export const onlyTicksDrawn = {
  ...shipping,
  draw: ({ table }, { ties }, source) =>
    ties.map((tie) => (tie ? Number(uniformBelow(table.denominator, source) < table.one) : 0)).join(""),
};

/** The right law, but what is ticked is drawn first, from the first bytes. */
export const tickedDrawnFirst = {
  ...shipping,
  draw: ({ table }, { ties }, source) => {
    const order = ties.map((_, bit) => bit).sort((a, b) => ties[b] - ties[a]);
    const bits = Array(ties.length);
    for (const bit of order) bits[bit] = Number(fresh(table, bit, source) < own(table, ties[bit]));
    return bits.join("");
  },
};

/** The right bits, each under the place that it is about: but what is ticked is sent first. */
export const tickedSentFirst = {
  ...shipping,
  draw: (device, { ties }, source) => {
    const report = drawReport(device, { ties }, source);
    const order = ties.map((_, bit) => bit).sort((a, b) => ties[b] - ties[a]);
    return JSON.stringify(order.map((bit) => [bit, Number(report[bit])]));
  },
};

/** Bits in the order of the names on the page, where the groups stand one after the other. */
export const inTheOrderOfThePage = {
  ...shipping,
  choose: (roster, person, codes) => {
    const { node } = ticked(roster, person, codes);
    return { ties: [...node.querySelectorAll(".roster__name input")].map((box) => Number(box.checked)) };
  },
};

/** Ticked names move to the top of the page, and the bits are read off it. */
export const ticksMovedUp = {
  ...shipping,
  choose: (roster, person, codes) => {
    const { ties } = inTheOrderOfThePage.choose(roster, person, codes);
    return { ties: ties.sort((a, b) => b - a) };
  },
};

/** One's own place is left in, so that all places behind it are drawn by the entry of another name. */
export const ownPlaceLeftIn = {
  ...shipping,
  choose: ({ codes: all }, person, codes) => ({
    ties: all.map((code) => Number(codes.includes(code))).slice(0, -1),
  }),
};

/** The person's report is that of whoever is first on the roster: another place is left out. */
export const ownPlaceOfAnother = {
  ...shipping,
  choose: (roster, person, codes) => {
    const own = roster.codes[person.place];
    return { ties: roster.codes.slice(1).map((code) => Number(code !== own && codes.includes(code))) };
  },
};

/** All that is sent of one answer: drawn, then asked again after a failed request and after a reload. */
async function sentByOne(device, truth, { again }) {
  let store = memoryStore();
  const sent = [];
  for (let time = 0; time < 2; time += 1) {
    if (again && time) store = memoryStore();
    const { codes } = await new Session({ devices: [device], digest: "" }, store).draw([device], () => [truth]);
    sent.push(codes[0]);
  }
  return sent;
}

export const sending = (device, truth) => sentByOne(device, truth, { again: false });

/** A page that has forgotten its report draws it again. */
export const drawnAgain = (device, truth) => sentByOne(device, truth, { again: true });

/** All that one person sends to the questions of a survey, in their order; null where one is left out. */
export const answering = (devices, truths, source) => devices.map((device, at) => drawReport(device, truths[at], source));

/** Two questions about the roster are drawn from the same bytes. */
export function sameBytesForAll(devices, truths, source) {
  const bytes = source(64);
  return devices.map((device, at) => {
    let used = 0;
    return drawReport(device, truths[at], (count) => bytes.subarray(used, (used += count)));
  });
}

/** Somebody who has ticked nobody is taken for one who leaves the question out. */
export const leftOutWithoutTicks = (devices, truths, source) =>
  devices.map((device, at) => (truths[at].ties?.includes(1) === false ? null : drawReport(device, truths[at], source)));
