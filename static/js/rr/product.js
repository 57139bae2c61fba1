/** Tables with several parts that draw independently: truth and report are lists, one entry for each. */

import { codedTable, extremes, isCoded } from "./device.js";
import { checkKeys } from "./shape.js";

/**
 * @param {ProductTable} table
 * @param {Fail} fail
 * @param {boolean} onPage
 * @returns {CheckedTable}
 */
export function form(table, fail, onPage) {
  checkKeys(table, ["form", "parts"], [], fail);
  const { parts } = table;
  if (!Array.isArray(parts) || parts.length < 2) fail("wrong_length", "parts");
  const checked = parts.map((part, i) => {
    /** @type {Fail} */
    const failInPart = (code, field) => fail(code, `parts.${i}.${field}`);
    return isCoded(part) ? codedTable(part, failInPart, onPage) : failInPart("unknown_form", "form");
  });
  const contents = {
    parts: checked.map((part) => part.contents),
    truths: checked.reduce((size, part) => size * part.contents.truths, 1),
    worst: [checked.map((part) => worstOf(part.contents)).reduce(multiply)],
  };
  return {
    contents,
    draw: (truths, randomBytes) => drawAll(checked, truths, randomBytes),
    has: (report) =>
      Array.isArray(report) && report.length === parts.length && checked.every(({ has }, i) => has(report[i])),
    longest: checked.map(({ longest }) => Number(longest)),
  };
}

/**
 * The [most, least] of the report whose entries differ most, in BigInt: their product is exact.
 * @param {CodedContents} contents
 */
function worstOf(contents) {
  const pairs = extremes(contents).map(exact);
  return pairs.reduce((a, b) => (b[0] * a[1] > a[0] * b[1] ? b : a));
}

/** @type {(pair: [number, number]) => [bigint, bigint]} */
const exact = ([most, least]) => [BigInt(most), BigInt(least)];

/** @type {(a: [bigint, bigint], b: [bigint, bigint]) => [bigint, bigint]} */
const multiply = (a, b) => [a[0] * b[0], a[1] * b[1]];

/**
 * @param {CheckedTable<CodedContents, number>[]} parts
 * @param {Truth} truths
 * @param {RandomBytes} randomBytes
 */
function drawAll(parts, truths, randomBytes) {
  if (!Array.isArray(truths) || truths.length !== parts.length) return undefined;
  const valid = parts.every(({ contents }, i) => Number.isSafeInteger(truths[i]) && contents.columns[truths[i]]);
  return valid ? parts.flatMap(({ draw }, i) => draw(truths[i], randomBytes) ?? []) : undefined;
}
