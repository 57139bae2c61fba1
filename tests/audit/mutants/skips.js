/**
 * Defective ways to pass a question that is not for somebody: each has one part of the real page replaced. What is
 * sent is the text of all reports of a person.
 */

import { route as routeOf } from "/static/js/features/filters/page.js";
import { drawReport } from "/static/js/rr/device.js";
import { uniformBelow } from "/static/js/rr/random.js";
import { inapplicable } from "/static/js/rr/wire.js";

/** The report of a question that is passed; nothing where this returns nothing. */
const passing = (pass) => (parameters, devices, answers, source) => {
  const route = routeOf(parameters);
  const learn = (question, answer) => route.follow(question).onAnswer?.({ categories: [answer] });
  const reports = {};
  const session = { reportsOf: ([{ id }]) => (id in reports ? [reports[id]] : undefined) };
  parameters.questions.forEach((question, i) => {
    const how = route.stateOf(question, session);
    if (how === "unasked") return;
    if (how === "passed") {
      const report = pass(devices[i], inapplicable(question), source, reports);
      if (report !== undefined) reports[question.id] = report;
      learn(question, inapplicable(question));
      return;
    }
    const answer = answers[question.id];
    reports[question.id] = drawReport(devices[i], answer, source);
    learn(question, answer);
  });
  return JSON.stringify(reports);
};

export const shipping = passing((device, answer, source) => drawReport(device, answer, source));

/** Nothing is reported. */
export const leftOut = passing(() => undefined);

/** “Does not apply” is sent as it is. */
export const asItIs = passing((_device, answer) => answer);

/** A report at random, as good as any if nobody estimated from it. */
export const atRandom = passing(({ reports }, _answer, source) => uniformBelow(reports.length, source));

/** The first answer, drawn as if it were given. */
export const firstAnswer = passing((device, _answer, source) => drawReport(device, 0, source));

/** What was drawn for the question before, wherever it is a report of this one. */
export const asBefore = passing((device, answer, source, reports) => {
  const [last] = Object.values(reports).slice(-1);
  return last ? last : drawReport(device, answer, source);
});
