/**
 * Chains: one answer is reported once for each step. The report of the last step is drawn from the answer,
 * every other one from the report of the step after it, so that all together reveal what the last does.
 * surveys/parameters/rules.py has the same checks.
 */

import { bigUniformBelow, chancesOf, isDegraded, stepTable } from "./degradation.js";
import { extremes } from "./device.js";
import { excessWithin, parseDecimal } from "./exact.js";
import { checkKeys } from "./shape.js";

/** @typedef {import("./degradation.js").Chances} Chances */

/**
 * @param {ChainTable} table
 * @param {Fail} fail
 * @returns {CheckedTable<CodedContents, number[]>} with the contents of the highest step
 */
export function form(table, fail) {
  checkKeys(table, ["form", "steps", "epsilons", "degradations"], [], fail);
  const { steps, epsilons, degradations } = table;
  if (!Array.isArray(steps) || steps.length < 2) fail("wrong_length", "steps");
  const checked = steps.map((step, i) =>
    stepTable(step, (code, field) => fail(code, field ? `steps.${i}.${field}` : `steps.${i}`)),
  );
  if (!Array.isArray(epsilons) || epsilons.length !== steps.length) fail("wrong_length", "epsilons");
  if (!Array.isArray(degradations) || degradations.length !== steps.length - 1) fail("wrong_length", "degradations");
  const contents = checked.map((step) => step.contents);
  const links = degradations.map((degradation, i) => checkLink(degradation, i, contents, fail));
  return {
    contents: { ...contents[contents.length - 1], steps: contents, form: steps[steps.length - 1].form },
    draw: (truth, randomBytes) => {
      const last = checked[checked.length - 1].draw(truth, randomBytes);
      return last === undefined ? undefined : degradeAll(last, contents, links, randomBytes);
    },
    has: (report) =>
      Array.isArray(report) && report.length === steps.length && checked.every(({ has }, i) => has(report[i])),
    longest: checked.map(({ longest }) => Number(longest)),
  };
}

/**
 * @param {ServedDegradation} degradation
 * @param {number} i
 * @param {CodedContents[]} contents
 * @param {Fail} fail
 */
function checkLink(degradation, i, contents, fail) {
  const field = `degradations.${i}`;
  /** @type {Fail} */
  const failHere = (code, part) => fail(code, part ? `${field}.${part}` : field);
  const chances = chancesOf(degradation, contents[i + 1].reports.length, failHere);
  if (!isDegraded(contents[i], contents[i + 1], chances)) failHere("not_relaxed", "");
  return chances;
}

/**
 * The reports of all steps from that of the last one, downwards; no answer is needed.
 * @param {number} last
 * @param {CodedContents[]} contents
 * @param {(Chances | null)[]} links
 * @param {RandomBytes} randomBytes
 */
function degradeAll(last, contents, links, randomBytes) {
  const reports = [last];
  for (let k = links.length - 1; k >= 0; k -= 1) {
    reports.unshift(degrade(reports[0], contents[k].reports.length, links[k], randomBytes));
  }
  return reports;
}

/**
 * @param {number} report
 * @param {number} size how many lower reports there are
 * @param {Chances | null} chances
 * @param {RandomBytes} randomBytes
 */
function degrade(report, size, chances, randomBytes) {
  if (!chances) return report;
  const draw = bigUniformBelow(chances.whole, randomBytes);
  let [code, bound] = [0, 0n];
  for (let u = 0; u < size; u += 1) {
    bound += chances.at(u, report);
    code += Number(bound <= draw);
  }
  return code;
}

/**
 * Every step keeps its own epsilon, and the last one has that of the device.
 * @param {AnyDevice} device
 * @param {Fail} fail
 * @param {CheckParts} parts
 */
export function check(device, fail, parts) {
  const { table, steps = [], delta } = device;
  if (table.form !== "chain") return;
  if (delta !== null) fail("not_null", "delta");
  const units = table.epsilons.map((text, i) => parseDecimal(text) ?? fail("not_a_decimal", `table.epsilons.${i}`));
  units.forEach((epsilon, i) => {
    const field = `table.epsilons.${i}`;
    if (epsilon <= 0n) fail("not_positive", field);
    const kept = extremes(steps[i]).every(([most, least]) => excessWithin([most], [least], epsilon));
    if (!kept) fail("too_revealing", field);
  });
  const last = units.length - 1;
  if (table.epsilons[last] !== device.epsilon) fail("bad_epsilons", `table.epsilons.${last}`);
  const look = parts.get(device.look);
  for (const step of steps) look?.check?.({ .../** @type {Device} */ (device), ...step }, fail, parts);
  units.forEach((epsilon, i) => {
    if (i > 0 && epsilon <= units[i - 1]) fail("bad_epsilons", `table.epsilons.${i}`);
  });
}
