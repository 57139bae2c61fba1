/** Tables of several devices that draw by themselves: truth and report are lists, a place for each. */

import { coded, extremes, isCoded } from "./device.js";
import { checkKeys } from "./shape.js";

/**
 * @param {ProductTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {Made}
 */
export function form(table, fail, onPage) {
  checkKeys(table, ["form", "parts"], [], fail);
  const { parts } = table;
  if (!Array.isArray(parts) || parts.length < 2) fail("wrong_length", "parts");
  const made = parts.map((part, i) => {
    /** @type {Fail} */
    const failThere = (code, field) => fail(code, `parts.${i}.${field}`);
    return isCoded(part) ? coded(part, failThere, onPage) : failThere("unknown_form", "form");
  });
  const says = {
    parts: made.map((part) => part.says),
    truths: made.reduce((size, part) => size * part.says.truths, 1),
    worst: [made.map((part) => worstOf(part.says)).reduce(times)],
  };
  return { says, draw: (truths, randomBytes) => drawAll(made, truths, randomBytes) };
}

/**
 * The report whose entries differ most, as [most, least] in BigInt: a product of these is exact.
 * @param {CodedSays} says
 */
function worstOf(says) {
  const pairs = extremes(says).map(exact);
  return pairs.reduce((one, other) => (other[0] * one[1] > one[0] * other[1] ? other : one));
}

/** @type {(pair: [number, number]) => [bigint, bigint]} */
const exact = ([most, least]) => [BigInt(most), BigInt(least)];

/** @type {(one: [bigint, bigint], other: [bigint, bigint]) => [bigint, bigint]} */
const times = (one, other) => [one[0] * other[0], one[1] * other[1]];

/**
 * @param {Made<CodedSays, number>[]} made
 * @param {Truth} truths
 * @param {RandomBytes} randomBytes
 */
function drawAll(made, truths, randomBytes) {
  if (!Array.isArray(truths) || truths.length !== made.length) return undefined;
  const known = made.every(({ says }, i) => Number.isSafeInteger(truths[i]) && says.columns[truths[i]]);
  return known ? made.flatMap(({ draw }, i) => draw(truths[i], randomBytes) ?? []) : undefined;
}
