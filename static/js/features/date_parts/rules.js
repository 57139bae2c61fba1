/** Dates that are given in parts: the bins that are the answers to some questions. */

import { checkKeys, isRecord } from "../../rr/shape.js";

/** @type {Record<string, RegExp>} */
const FORMS = { year: /^[0-9]{4}$/, month: /^[0-9]{4}-[0-9]{2}$/, day: /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/ };
const [FIRST, LAST] = ["1800", "2199~"];

/**
 * Whether there is such a day, month or year. Dates of one form are in the order of their texts.
 * @param {string} unit
 * @param {unknown} text
 */
export function isDate(unit, text) {
  if (typeof text !== "string" || !FORMS[unit]?.test(text)) return false;
  const [year, month = 1, day = 1] = text.split("-").map(Number);
  const found = new Date(Date.UTC(year, month - 1, day));
  return found.getUTCMonth() === month - 1 && found.getUTCDate() === day && text >= FIRST && text < LAST;
}

/**
 * The twin is surveys/features/date_parts/section.py.
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 */
export function checkSection(parameters, fail) {
  const { questions, date_parts: dates } = /** @type {WithDates} */ (parameters);
  if (!Array.isArray(dates) || !dates.length) fail("not_a_list", "date_parts");
  if (new Set(dates.map((each) => each?.question)).size < dates.length) fail("duplicate", "date_parts");
  dates.forEach((each, i) => {
    /** @type {Fail} */
    const failHere = (code, key) => fail(code, ["date_parts", i, key].filter((part) => part !== "").join("."));
    if (!isRecord(each)) failHere("not_an_object", "");
    checkKeys(each, ["question", "unit", "starts", "last"], [], failHere);
    const { question: name, unit, starts, last } = each;
    if (!Object.hasOwn(FORMS, unit)) failHere("bad_choice", "unit");
    if (!Array.isArray(starts) || starts.length < 2) failHere("wrong_length", "starts");
    const question = questions.find(({ id, control }) => id === name && control === "list");
    if (!question) failHere("unknown_question", "question");
    if (question?.categories.length !== starts.length + Number(question?.prefer_not)) failHere("wrong_length", "starts");
    const rising = starts.every((start, at) => isDate(unit, start) && (at === 0 || start > starts[at - 1]));
    if (!rising || !isDate(unit, last) || last < starts[starts.length - 1]) failHere("bad_dates", "starts");
  });
}
