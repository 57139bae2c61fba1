import { el } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { areWhole, drawFresh } from "../../lib/session.js";
import { PAGE, isReportOf } from "../../rr/device.js";
import { earlierContents, isEarlierReport, relax, sharesAfter } from "../../rr/earlier.js";
import { parseDecimal } from "../../rr/exact.js";
import { systemBytes } from "../../rr/random.js";
import { isCode, isRecord } from "../../rr/shape.js";
import { devicesOf } from "../../rr/wire.js";
import { wheel } from "../../ui/wheel.js";

// Reports of an earlier wave, which reports of this one are drawn from.

/**
 * @param {unknown} found what the server or the storage has
 * @param {SurveyParameters} parameters
 * @returns {EarlierReports | null} what is known of it; null where it cannot be this survey's
 */
export function earlierOf(found, parameters) {
  if (!isRecord(found)) return null;
  const { wave, answered, reports, ledger, total, epsilons } = found;
  if (!isCode(wave) || wave < 1 || wave > parameters.wave) return null;
  if (answered !== (wave === parameters.wave) || parseDecimal(total) === null) return null;
  if (!isLedger(ledger) || ledger.at(-1)?.wave !== wave || ledger.at(-1)?.epsilon !== total) return null;
  if (!isRecord(reports) || !areReports(reports, wave, parameters)) return null;
  const entries = ledger.map((entry) => ({ wave: entry.wave, epsilon: entry.epsilon }));
  const kept = { wave, answered, reports: { .../** @type {Reports} */ (reports) }, ledger: entries };
  const known = isRecord(epsilons) && Object.keys(reports).every((id) => parseDecimal(epsilons[id]) !== null);
  const then = known ? { epsilons: { .../** @type {Record<string, Decimal>} */ (epsilons) } } : {};
  return { ...kept, total: /** @type {Decimal} */ (total), ...then };
}

/**
 * @param {unknown} ledger
 * @returns {ledger is LedgerEntry[]}
 */
function isLedger(ledger) {
  if (!Array.isArray(ledger) || ledger.length === 0) return false;
  return ledger.every((entry) => isRecord(entry) && isCode(entry.wave) && parseDecimal(entry.epsilon) !== null);
}

/**
 * Whether there are all reports of each question or none, and each of them in the table of its wave.
 * @param {Record<string, unknown>} reports
 * @param {number} wave
 * @param {SurveyParameters} parameters
 */
function areReports(reports, wave, parameters) {
  const drawn = parameters.devices.filter(({ stratum, epsilon }) => stratum === PAGE && epsilon !== null);
  const known = Object.entries(reports).every(([id, report]) => {
    const device = drawn.find((other) => other.id === id);
    return device && isReportIn(device, wave, report, parameters);
  });
  return known && areWhole(reports, drawn);
}

/**
 * @param {Device} device
 * @param {number} wave
 * @param {unknown} report
 * @param {SurveyParameters} parameters
 */
function isReportIn(device, wave, report, parameters) {
  if (wave === parameters.wave) return isReportOf(device, report);
  return isEarlierReport(device, wave, report);
}

/**
 * The reports of the questions whose tables have not changed, which are sent again.
 * @param {SurveyParameters} parameters
 * @param {EarlierReports} earlier
 * @returns {Reports}
 */
export function resentReports(parameters, earlier) {
  const questions = parameters.questions.filter((question) => {
    const devices = devicesOf(parameters, question);
    return hasAll(earlier, devices) && areSame(earlier, devices);
  });
  const ids = questions.flatMap((question) => devicesOf(parameters, question).map(({ id }) => id));
  return Object.fromEntries(ids.map((id) => [id, earlier.reports[id]]));
}

/**
 * @param {EarlierReports} earlier
 * @param {Device[]} devices
 */
export const hasAll = ({ reports }, devices) => devices.every(({ id }) => Object.hasOwn(reports, id));

/**
 * @param {EarlierReports} earlier
 * @param {Device[]} devices
 */
export const areSame = ({ wave, reports }, devices) =>
  devices.every((device) => sharesAfter(device, wave, reports[device.id]) === null);

/** @type {DrawOne} */
export function drawAgain(device, truth, earlier) {
  if (!earlier || !hasAll(earlier, [device])) return drawFresh(device, truth);
  return relax(device, earlier.wave, earlier.reports[device.id], Number(truth), systemBytes);
}

/**
 * The letters that were sent.
 * @param {EarlierReports} earlier
 * @param {Device[]} devices
 * @param {Look} look
 */
export const lettersOf = ({ wave, reports }, devices, look) =>
  devices.map((device) => {
    const report = reports[device.id];
    return look.letter?.(report) ?? (earlierContents(device, wave) ?? device).reports[Number(report)];
  });

/**
 * @param {import("../../lib/session.js").Session} session
 * @param {Parts} parts
 * @returns {NonNullable<BlockOptions["recall"]>}
 */
export const recall = (session, { lookOf }) => (question, devices, { picture, once }) => {
  const { earlier } = session.stored;
  const look = lookOf(devices[0]);
  const known = earlier && question.randomized && hasAll(earlier, devices);
  const note = noteBefore(once);
  note.hidden = !known;
  // The pictures of several devices are those of a first draw only, so they are hidden.
  picture.hidden = Boolean(known) && devices.length > 1;
  if (!known) return look;
  const words = gettext(
    "The new one is drawn from what you sent before (%(letter)s). Both together tell no more than the new one alone.",
  );
  const again = interpolate(words, { letter: look.nameOf(lettersOf(earlier, devices, look).join(" ")) });
  const differs = gettext("So this wheel differs from that of a first draw.");
  note.textContent = isWheel(look) && devices.length === 1 ? `${again} ${differs}` : again;
  const same = gettext("This question is protected as before, so what you sent then is sent again.");
  return { ...look, chance: chanceAfter(earlier, look), again: areSame(earlier, devices) ? same : again };
};

/**
 * The line above another one; made once.
 * @param {Element} line
 */
function noteBefore(line) {
  const found = line.previousElementSibling;
  if (found instanceof HTMLElement) return found;
  const note = el("p", { class: "small" });
  line.before(note);
  return note;
}

/** @param {Look} look */
const isWheel = ({ chance }) => chance === wheel;

/**
 * The wheel of the draw that is made: how likely each report is after the earlier one. Cards stay face
 * down for everybody.
 * @param {EarlierReports} earlier
 * @param {Look} look
 * @returns {Look["chance"]}
 */
function chanceAfter({ wave, reports }, look) {
  if (!isWheel(look)) return look.chance;
  return (device, truth) => {
    const columns = sharesAfter(device, wave, reports[device.id]);
    return wheel(columns ? { ...device, columns, denominator: 1 } : device, Number(truth));
  };
}
