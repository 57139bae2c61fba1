/**
 * Defective versions of drawReport: same arguments, so that the browser's audit runs them as it
 * runs the real one. `device.epsilon` is what each believes to keep.
 */

const size = (device) => device.columns.length;
const kept = (device, epsilon) => Math.exp(epsilon) / (Math.exp(epsilon) + size(device) - 1);
const unit = (randomBytes) => {
  const [a, b, c, d] = randomBytes(4);
  return (a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32;
};
const other = (device, truth, lie) => (lie >= truth ? lie + 1 : lie);
const anyOther = (device, truth, randomBytes) =>
  other(device, truth, Math.floor(unit(randomBytes) * (size(device) - 1)));

/** An epsilon that is no number: the comparison is never true, the truth is sent. */
export function truthOnNaN(device, truth, randomBytes) {
  const lie = unit(randomBytes) >= kept(device, Number("1,0"));
  return lie ? anyOther(device, truth, randomBytes) : truth;
}

/** The kept share is meant for lies over the other k - 1, the lie falls on all k. */
export function liesOverAll(device, truth, randomBytes) {
  const lie = unit(randomBytes) >= kept(device, Number(device.epsilon));
  return lie ? Math.floor(unit(randomBytes) * size(device)) : truth;
}

/** Which lie it is comes from a byte modulo k - 1. */
export function modulo(device, truth, randomBytes) {
  const lie = unit(randomBytes) >= kept(device, Number(device.epsilon));
  return lie ? other(device, truth, randomBytes(1)[0] % (size(device) - 1)) : truth;
}

/** The reports counted from one: the last category's is out of range, and all are shifted. */
export function countedFromOne(device, truth, randomBytes) {
  return 1 + liesOverOthers(device, truth, randomBytes);
}

function liesOverOthers(device, truth, randomBytes) {
  const lie = unit(randomBytes) >= kept(device, Number(device.epsilon));
  return lie ? anyOther(device, truth, randomBytes) : truth;
}

/** A column read as a row: right for symmetric tables, wrong for the others. */
export function transposed(device, truth, randomBytes) {
  const draw = unit(randomBytes) * device.denominator;
  let sum = 0;
  return device.columns.findIndex((column) => (sum += column[truth]) > draw);
}

/** A number rounded to an end of its range at random, and that end sent as it is. */
export function sendsRounded(device, truth, randomBytes) {
  return Number(unit(randomBytes) * (size(device) - 1) < truth);
}

/** A number rounded to the nearest end, and that end scrambled: private, but of another mean. */
export function roundsToNearest(device, truth, randomBytes) {
  const end = Number(2 * truth >= size(device) - 1);
  const flips = unit(randomBytes) >= 1 / (1 + Math.exp(-Number(device.epsilon)));
  return flips ? 1 - end : end;
}

/** A seed in the device: every page load sends the same. */
let state = 42;
export function fixedSeed(device, truth) {
  const bytes = (count) => Uint8Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647;
    return state & 255;
  });
  return liesOverOthers(device, truth, bytes);
}

/** One draw shared by all options of a question: right for each alone. */
let shared = 0;
export function oneForAll(device, truth, randomBytes) {
  if (device.option === 0) shared = unit(randomBytes) * device.denominator;
  return device.columns[truth][0] > shared ? 0 : 1;
}

const piles = new WeakMap();

// The cards that show an answer and those that do not, by answer.
function pilesOf(device) {
  if (!piles.has(device)) {
    const rows = device.reports.map((_, u) => device.columns.map((column) => column[u]));
    const shows = (row, v) => 2 * row[v] > Math.max(...row) + Math.min(...row);
    const codes = rows.map((_, u) => u);
    piles.set(device, device.columns.map((_, v) => [
      codes.filter((u) => shows(rows[u], v)), codes.filter((u) => !shows(rows[u], v)),
    ]));
  }
  return piles.get(device);
}

const oneOf = (pile, randomBytes) => pile[Math.floor(unit(randomBytes) * pile.length)];

/** The chance of a card with the truth reckoned from the number of cards, where answers count. */
export function showsTruthTooOften(device, truth, randomBytes) {
  const [on, off] = pilesOf(device)[truth];
  const weight = on.length * Math.exp(Number(device.epsilon));
  const chance = weight / (weight + device.columns.length - on.length);
  return oneOf(unit(randomBytes) < chance ? on : off, randomBytes);
}

/** Every card drawn shows the truth: none of the others is left in the pack. */
export function alwaysShowsTruth(device, truth, randomBytes) {
  return oneOf(pilesOf(device)[truth][0], randomBytes);
}

const fromTable = (device, truth, randomBytes) => {
  const draw = unit(randomBytes) * device.denominator;
  let sum = 0;
  return device.columns[truth].findIndex((entry) => (sum += entry) > draw);
};

/** A later wave drawn anew: each report is right, and together they add up. */
export const redrawn = (device, _wave, _previous, truth, randomBytes) => fromTable(device, truth, randomBytes);

/** The earlier report sent again, under the later wave's name. */
export const resent = (_device, _wave, previous) => previous;

/** Relaxed towards the truth alone: the earlier report is kept or becomes the truth. */
export function correctedToTruth(device, _wave, previous, truth, randomBytes) {
  const own = device.columns[truth][truth] / device.denominator;
  return unit(randomBytes) < own ? truth : previous;
}

/** The kernel in doubles, and a draw of one double: near to it, and not it. */
export function roundedKernel(device, wave, previous, truth, randomBytes) {
  const { table, degradation } = device.earlier.find((entry) => entry.wave === wave);
  const [whole, kept, other] = ["denominator", "kept", "other"].map((key) => Number(degradation[key]));
  const before = (previous === truth ? table.kept : table.other) / table.denominator;
  const draw = unit(randomBytes);
  let sum = 0;
  const code = device.columns[truth].findIndex((entry, report) => {
    sum += ((report === previous ? kept : other) / whole) * (entry / device.denominator) / before;
    return sum > draw;
  });
  return code < 0 ? device.reports.length - 1 : code;
}

/** A version for each tier drawn anew from the truth: each is right, and together they add up. */
export const freshTiers = (device, truth, randomBytes) =>
  device.steps.map((step) => fromTable(step, truth, randomBytes));

/** One version for all tiers: the lowest reads what the highest does. */
export function oneForAllTiers(device, truth, randomBytes) {
  const last = fromTable(device.steps[device.steps.length - 1], truth, randomBytes);
  return device.steps.map(() => last);
}

/** Degraded in doubles, with a draw of one double: near to it, and not it. */
export function roundedDegradation(device, truth, randomBytes) {
  const { steps, table: { degradations } } = device;
  const reports = [fromTable(steps[steps.length - 1], truth, randomBytes)];
  for (let k = degradations.length - 1; k >= 0; k -= 1) {
    const [whole, kept, other] = ["denominator", "kept", "other"].map((key) => Number(degradations[k][key]));
    const draw = unit(randomBytes);
    let sum = 0;
    const lower = steps[k].reports.findIndex((_, u) => (sum += (u === reports[0] ? kept : other) / whole) > draw);
    reports.unshift(lower < 0 ? steps[k].reports.length - 1 : lower);
  }
  return reports;
}
