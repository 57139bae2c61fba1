import { el } from "../../lib/dom.js";
import { formatNumber, gettext, interpolate } from "../../lib/i18n.js";
import { earlierContents } from "../../rr/earlier.js";
import { questionLoss } from "../../rr/strength.js";
import { devicesOf } from "../../rr/wire.js";
import { areSame, hasAll, lettersOf } from "./earlier_reports.js";
import { guessText, ledgerTable, ledgerWithNow, totalWords } from "./ledger.js";
import { symbol } from "../../ui/wheel.js";

// This card shows what somebody sent before, with how much it can reveal; never an answer.

/**
 * @param {SurveyParameters} parameters
 * @param {Parts} parts
 * @param {EarlierReports} earlier
 * @returns {Node[]}
 */
export function sentBefore(parameters, parts, earlier) {
  const pairs = parameters.questions
    .filter(({ randomized }) => randomized)
    .map((question) => ({ question, devices: devicesOf(parameters, question) }))
    .filter(({ devices }) => hasAll(earlier, devices));
  const rows = pairs.map((pair) => row(pair, parts, earlier, parameters)).filter(Boolean);
  const ledger = earlier.answered ? earlier.ledger : ledgerWithNow(parameters, earlier);
  return [
    ...(earlier.answered ? answeredNotice() : askedAgain(earlier)),
    rows.length > 0 && el("dl", { class: "fields" }, ...rows),
    !earlier.answered && changedSince(pairs, earlier),
    el("details", {}, el("summary", {}, gettext("What it adds up to")), ledgerTable(ledger), el("p", {}, totalWords(ledger))),
  ].filter(Boolean);
}

function answeredNotice() {
  const text = gettext("You have answered this wave with this return code. Nothing can be sent again.");
  return [el("p", { class: "notice" }, text)];
}

/** @param {EarlierReports} earlier */
function askedAgain({ wave }) {
  const text = gettext(
    "This is what arrived in wave %(number)s. Your real answers were never stored, so you are asked again. Chance draws the new letter from the old one. Both together tell no more than the new one alone.",
  );
  return [el("p", {}, interpolate(text, { number: wave }))];
}

/**
 * @param {QuestionDevices} pair
 * @param {Parts} parts
 * @param {EarlierReports} earlier
 * @param {SurveyParameters} parameters
 */
function row({ question, devices }, parts, earlier, parameters) {
  const look = parts.lookOf(devices[0]);
  if (look.before) return jointRow(look.before(question, devices[0], earlier.reports[devices[0].id], parameters), devices, earlier);
  const letters = lettersOf(earlier, devices, look);
  const codes = devices.map((device, i) => {
    const option = question.categories[device.option ?? -1];
    const name = look.nameOf(letters[i]);
    const sent = interpolate(gettext("You sent: %(letter)s"), { letter: option ? `${option}: ${name}` : name });
    return el("span", { class: "fields__code" }, pictureOf(earlier.reports[device.id], letters[i], look), sent);
  });
  const cards = devices.map((device) => look.meaning?.(question, then(device, earlier), earlier.reports[device.id]));
  const shown = cards.filter(Boolean).map((text) => el("span", { class: "small quiet fields__card" }, text));
  const strength = el("span", { class: "small quiet" }, strengthWords(devices, earlier));
  return el("div", {}, el("dt", { dir: "auto" }, question.text), el("dd", {}, ...codes, ...shown, strength));
}

/**
 * One row for joint questions.
 * @param {EarlierCodes | null} codes
 * @param {Device[]} devices
 * @param {EarlierReports} earlier
 */
function jointRow(codes, devices, earlier) {
  if (!codes) return null;
  const atEach = guessText(
    questionLoss(devices),
    gettext("Suppose a guess at one of your real answers is right 50 times in 100. With these, it is right at most %(right)s times in %(people)s."),
    gettext("Suppose a guess at one of your real answers is right 50 times in 100. With these, it can be practically always right."),
  );
  const words = [atEach, !earlier.answered && gettext("The same letters are sent again, so these questions need no answer.")];
  const strength = el("span", { class: "small quiet" }, words.filter(Boolean).join(" "));
  return el("div", {}, el("dt", {}, codes.name), el("dd", {}, codes.list, strength));
}

/** @type {(report: SentReport, letter: string, look: Look) => Element} */
const pictureOf = (report, letter, look) => look.picture?.(report) ?? symbol(Number(report), letter);

/**
 * A device as it was.
 * @param {Device} device
 * @param {EarlierReports} earlier
 * @returns {Device}
 */
const then = (device, { wave }) => ({ ...device, ...earlierContents(device, wave) });

/**
 * @param {Device[]} devices of a question
 * @param {EarlierReports} earlier
 */
const earlierLoss = (devices, earlier) => questionLoss(devices.map((device) => then(device, earlier)));

/**
 * @param {Device[]} devices
 * @param {EarlierReports} earlier
 */
function strengthWords(devices, earlier) {
  const before = guessText(
    earlierLoss(devices, earlier),
    gettext("Suppose a guess at your real answer is right 50 times in 100. With this, it is right at most %(right)s times in %(people)s."),
    gettext("Suppose a guess at your real answer is right 50 times in 100. With this, it can be practically always right."),
  );
  if (earlier.answered) return before;
  const same = gettext("The same is sent again.");
  if (areSame(earlier, devices)) return `${before} ${same}`;
  const now = guessText(
    questionLoss(devices),
    gettext("After this wave: at most %(right)s times in %(people)s."),
    gettext("After this wave it can be practically certain."),
  );
  return `${before} ${now}`;
}

/**
 * Both reports are then about different answers: for that of today their epsilons add up.
 * @param {QuestionDevices[]} pairs
 * @param {EarlierReports} earlier
 */
function changedSince(pairs, earlier) {
  const redrawn = pairs.filter(({ devices }) => !areSame(earlier, devices));
  if (redrawn.length === 0) return null;
  const sums = redrawn.map(({ question, devices }) => {
    const [before, now] = [earlierLoss(devices, earlier), questionLoss(devices)];
    return { question: question.text, before, now, sum: before + now };
  });
  const worst = guessText(
    Math.max(...sums.map(({ sum }) => sum)),
    gettext(
      "Answer as it is now. What you sent then and what you send now then add up. A guess that is right 50 times in 100 can then be right %(right)s times in %(people)s.",
    ),
    gettext(
      "Answer as it is now. What you sent then and what you send now then add up. A guess at your answer of today can then be practically always right.",
    ),
  );
  return el(
    "section",
    {},
    el("p", { class: "label" }, gettext("If your real answer has changed since")),
    el("p", {}, worst),
    el("details", {}, el("summary", {}, gettext("The numbers")), sumList(sums)),
  );
}

/** @param {{question: string, before: number, now: number, sum: number}[]} sums in hundredths */
function sumList(sums) {
  const text = gettext("%(question)s Epsilon %(before)s then and %(now)s now: together %(sum)s.");
  const lines = sums.map(({ question, before, now, sum }) => {
    const [first, second, both] = [before, now, sum].map((loss) => formatNumber(loss / 100));
    return el("li", {}, interpolate(text, { question, before: first, now: second, sum: both }));
  });
  return el("ul", {}, ...lines);
}
