/** Defective draws for groups of questions: arguments of drawReport. */

import { drawReport } from "/static/js/rr/device.js";
import { uniformBelow } from "/static/js/rr/random.js";

/** One factor drawn twice: the first answer comes from one draw, the others from a second one. */
export function drawnTwice(device, truths, randomBytes) {
  const [first] = drawReport(device, truths, randomBytes);
  const [, ...others] = drawReport(device, truths, randomBytes);
  return [first, ...others];
}

/** Each answer scrambled by itself, with all that the group may reveal. */
export function eachWithAll(device, truths, randomBytes) {
  const ratio = Math.exp(Number(device.epsilon));
  return device.sizes.map((size, at) => {
    const draw = (uniformBelow(2 ** 32, randomBytes) / 2 ** 32) * (ratio + size - 1);
    if (draw < ratio) return truths[at];
    const lie = Math.min(size - 2, Math.floor(draw - ratio));
    return lie + Number(lie >= truths[at]);
  });
}

/** The sets of changed answers as often as declared, but into any answer, the true one too. */
export function changesIntoItself(device, truths, randomBytes) {
  const report = drawReport(device, truths, randomBytes);
  return report.map((code, at) =>
    code === truths[at] ? code : uniformBelow(device.sizes[at], randomBytes),
  );
}

/** The report is drawn again until one answer at least is the real one. */
export function neverAllChanged(device, truths, randomBytes) {
  for (;;) {
    const report = drawReport(device, truths, randomBytes);
    if (report.some((code, at) => code === truths[at])) return report;
  }
}
