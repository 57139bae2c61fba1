/** Answers in later texts: which texts, and whose answers; the twin is surveys/features/piping/section.py. */

import { checkKeys } from "../../rr/shape.js";
import { LISTED } from "../../rr/wire.js";

const BAD = "bad_pipe";
const CONTROLS = [...LISTED, "boxes", "number"];
const UNKNOWN = "…";
const TOKEN = /(\{\{|\}\})|\{([a-z][a-z0-9_]{0,31})(?:\|([^{}]*))?\}|[{}]/g;

/**
 * @param {string} text
 * @returns {TextPart[] | null} doubled braces are those that people read; null where one stands alone
 */
export function partsOfText(text) {
  /** @type {TextPart[]} */
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [all, brace, name, words = ""] = match;
    parts.push(text.slice(at, match.index));
    at = match.index + all.length;
    if (brace) parts.push(brace[0]);
    else if (name) parts.push({ name, words: words.trim() || UNKNOWN });
    else return null;
  }
  return [...parts, text.slice(at)];
}

/** @param {SurveyParameters} parameters @param {string} path @returns {unknown} what it leads to */
export const textAt = (parameters, path) =>
  path.split(".").reduce((/** @type {any} */ part, key) => {
    const found = Array.isArray(part) ? part.find(({ id }) => id === key) : undefined;
    return found ?? (part && Object.hasOwn(part, key) ? part[key] : undefined);
  }, parameters);

/**
 * @param {SurveyParameters} parameters
 * @param {Fail} fail
 * @param {CheckPart[]} features
 */
export function checkSection(parameters, fail, features) {
  const { piping } = /** @type {WithPiping} */ (parameters);
  if (!Array.isArray(piping)) fail("not_a_list", "piping");
  if (!piping.length) fail("empty", "piping");
  const said = Object.assign({}, ...parameters.questions.map(ofQuestion), ...features.map(({ saidBefore }) => saidBefore?.(parameters)));
  piping.forEach((each, i) => checkText(each, parameters, said, features, (code, key) => fail(code, `piping.${i}${key && `.${key}`}`)));
  if (new Set(piping.map(({ text }) => text)).size < piping.length) fail("duplicate", "piping");
}

/** @param {Question} question @returns {Record<string, string[]>} its texts by their paths, each with the questions after it */
const ofQuestion = ({ id }) => ({ [`questions.${id}.text`]: [id], [`questions.${id}.help`]: [id] });

/**
 * @param {PipedText} piped
 * @param {SurveyParameters} parameters
 * @param {Record<string, string[]>} said the questions after each text, by its path
 * @param {CheckPart[]} features
 * @param {Fail} fail
 */
function checkText(piped, parameters, said, features, fail) {
  checkKeys(piped, ["text", "answers"], [], fail);
  const { text: path, answers } = piped;
  const text = typeof path === "string" && Object.hasOwn(said, path) ? textAt(parameters, path) : undefined;
  if (typeof text !== "string") return fail("bad_text", "text");
  if (!Array.isArray(answers)) fail("not_a_list", "answers");
  const parts = partsOfText(text);
  const names = new Set(parts?.flatMap((part) => (typeof part === "string" ? [] : [part.name])));
  const isWhole = parts && names.size === answers.length && [...names].every((name, i) => name === answers[i]);
  if (!isWhole) fail(BAD, "answers");
  const { questions } = parameters;
  const before = said[path];
  const places = before.map((id) => questions.findIndex((each) => each.id === id));
  const first = Math.min(questions.length, ...places);
  for (const name of answers) {
    const place = questions.findIndex(({ id }) => id === name);
    const source = questions[place];
    const fits = source && place < first && !source.randomized && CONTROLS.includes(source.control);
    const isUnsure = features.some(
      ({ mayComeFirst, leavesOut }) => leavesOut?.(parameters, name) || before.some((later) => mayComeFirst?.(parameters, later, name)),
    );
    if (!fits || isUnsure) fail(BAD, "answers");
  }
}
