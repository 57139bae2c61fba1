/**
 * How much the scrambled answers of one person can give away; the twin of surveys/strength.py. A
 * loss is a bound of the log likelihood ratio, as epsilon is one, in hundredths and rounded up.
 */

import { epsilonOf } from "./device.js";

// Epsilon of a question, and of all questions of one person: above these there is a reason.
export const QUESTION_LIMIT = "4";
export const PERSON_LIMIT = "10";

const CROWDS = [100, 1000, 10_000, 100_000, 1_000_000];

/**
 * The largest loss of one question (`question`) and of all together (`person`), over the largest of
 * each device's strata. A device with a report that rules an answer out (`proves`) counts with its
 * declared epsilon.
 */
export function strengthOf({ devices }) {
  const largest = new Map();
  const scrambled = devices.filter(({ epsilon }) => epsilon !== null);
  for (const device of scrambled) {
    const [name] = device.questions;
    if (!largest.has(name)) largest.set(name, new Map());
    const ofQuestion = largest.get(name);
    ofQuestion.set(device.id, Math.max(lossOf(device), ofQuestion.get(device.id) ?? 0));
  }
  const losses = [...largest.values()].map((ofQuestion) => sum([...ofQuestion.values()]));
  return {
    questions: losses.length,
    question: hundredths(Math.max(0, ...losses)),
    person: hundredths(sum(losses)),
    proves: scrambled.some((device) => epsilonOf(device) === Infinity),
  };
}

function lossOf(device) {
  const own = epsilonOf(device);
  return own === Infinity ? Number(device.epsilon) : own;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const hundredths = (epsilon) => Math.ceil(100 * epsilon);

/** 0: no more is said than the numbers; 1: a strong hint; 2: much; 3: very much. */
export const questionLevel = (loss) => Number(loss >= 200) + Number(loss > 400) + Number(loss >= 700);

/** 0: no more is said than the numbers; 1: much; 2: very much. */
export const personLevel = (loss) => Number(loss >= 500) + Number(loss > 1000);

/**
 * How often, at most, an even guess comes true after a report of this loss: so many times in so many
 * people, rounded up; null where it is practically certain.
 */
export function rightGuesses(loss) {
  const share = 1 / (1 + Math.exp(-loss / 100));
  for (const people of CROWDS) {
    const right = Math.ceil(people * share);
    if (right < people) return { right, people };
  }
  return null;
}
