/**
 * Defective presses that draw for all items of a battery: each has one part of the real page replaced. What is sent is
 * the text of all reports.
 */

import { OwnDevices } from "/static/js/features/batteries/ways.js";
import { Session } from "/static/js/lib/session.js";
import { memoryStore } from "/static/js/lib/store.js";

/** The page asks the system for bytes; here they are those of a source. */
const withBytes = (source) => (crypto.getRandomValues = (array) => (array.set(source(array.length)), array));

/** `draw` is what a press does, and `bytesOf` makes of a source that of one press. */
const pressing =
  ({ draw = (way, items, truths) => way.draw(items, truths), bytesOf = (source) => source }) =>
  async (devices, answers, source) => {
    withBytes(bytesOf(source));
    const session = new Session({ devices, digest: "" }, memoryStore());
    const items = devices.map((device) => ({ devices: [device] }));
    const way = new OwnDevices(items, { session, parts: { lookOf: () => ({}) } });
    const reports = await draw(way, items, [...answers]);
    return JSON.stringify(Array.isArray(reports) ? reports : items.map((item) => way.reportOf(item)));
  };

export const shipping = pressing({});

/** Every item is drawn from the same bytes. */
export const sameBytes = pressing({
  bytesOf: (source) => {
    const bytes = source(16);
    return (count) => bytes.slice(0, count);
  },
});

/** One draw for all items with the same answer. */
export const alikeTogether = pressing({
  draw: async (way, items, truths) => {
    const firsts = truths.map((truth) => truths.indexOf(truth));
    await way.draw(items, [...truths]);
    return firsts.map((first) => way.reportOf(items[first]));
  },
});

/** Only the first item is drawn. */
export const firstAlone = pressing({
  draw: async (way, items, [first, ...others]) => {
    await way.draw(items.slice(0, 1), [first]);
    return [way.reportOf(items[0]), ...others];
  },
});

/** Pressed again where nothing has changed. */
export async function neverAllKept(devices, answers, source) {
  let sent;
  do sent = await shipping(devices, answers, source);
  while (sent === JSON.stringify(answers));
  return sent;
}
