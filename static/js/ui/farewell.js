import { copyText } from "../lib/copying.js";
import { button, byId, el } from "../lib/dom.js";
import { formatList, gettext, interpolate } from "../lib/i18n.js";
import { filledUp } from "../rr/body_length.js";
import { devicesOf } from "../rr/wire.js";
import { answersOf } from "./frequencies.js";
import { screen } from "./pager.js";
import { symbol } from "./wheel.js";

// One module loads everything that follows the last question.
export { sendingScreen } from "./sending.js";

/**
 * What was sent, what nobody can know, and the receipt, each in a sentence; all of it field by field below.
 * @param {{parameters: SurveyParameters, whole?: SurveyParameters, parts: Parts, strength: FlowOptions["strength"], kept?: Node[]}} survey
 *   whole: what everybody is asked; kept: what people need to come back
 * @param {string} body
 * @param {string | null} receipt null in the preview
 */
export function sentScreen({ parameters, whole = parameters, parts, strength, kept = [] }, body, receipt) {
  const sent = JSON.parse(body);
  const name = receipt ? gettext("Thank you. It is stored.") : gettext("End of the preview");
  const heading = receipt ? gettext("Show exactly what was sent") : gettext("Show exactly what would be sent");
  // In a survey that scrambles, not everybody may be asked so.
  const isScrambled = parameters.questions.some(({ randomized }) => randomized);
  const content = [
    ...(receipt ? summary(parameters, sent) : [el("p", {}, gettext("Nothing was sent. Respondents get a receipt here."))]),
    ...kept,
    ...(parts.features ?? []).map((feature) => feature.farewell?.(whole)),
    receipt && receiptCard(receipt),
    el(
      "details",
      {},
      el("summary", {}, heading),
      fields(parameters, sent, parts),
      isScrambled && strength?.trim() && el("p", {}, strength),
      el("p", { class: "small quiet" }, gettext("Nothing else was sent but the spaces at its end. With them every response has the same length. Word for word:")),
      el("pre", { class: "body", tabindex: "0", "aria-label": heading }, filledUp(body, whole)),
    ),
    ...closing(parameters),
  ];
  const page = screen({ title: el("h2", {}, name), body: content.filter(Boolean) });
  parts.wording?.follow(page.node);
  return page;
}

/**
 * @param {SurveyParameters} parameters
 * @param {ResponseBody} sent
 */
function summary(parameters, { reports }) {
  const answered = parameters.questions.filter((question) =>
    devicesOf(parameters, question).some(({ id }) => Object.hasOwn(reports, id)),
  );
  const scrambled = answered.filter(({ randomized }) => randomized).length;
  const plain = answered.length - scrambled;
  const answers = formatList(
    [
      scrambled && counted(scrambled, gettext("one scrambled answer"), gettext("%(number)s scrambled answers")),
      plain && counted(plain, gettext("one plain answer"), gettext("%(number)s plain answers")),
    ].filter(Boolean),
  );
  return [
    el("p", { class: "lead" }, interpolate(gettext("You sent %(answers)s."), { answers })),
    el("p", {}, scrambled ? document.getElementById("respond")?.dataset.leak || secret() : gettext("What you gave is stored as it is, without your name.")),
  ];
}

const secret = () =>
  gettext("Nobody can tell your real answers from the scrambled ones. The real ones never left this page, and are gone now.");

/** @type {(number: number, one: string, several: string) => string} */
const counted = (number, one, several) => (number === 1 ? one : interpolate(several, { number }));

/**
 * @param {Pick<FlowOptions, "whole" | "parts">} options
 * @param {string} receipt
 */
export function answeredScreen({ whole, parts }, receipt) {
  const title = el("h2", {}, gettext("You have answered this survey"));
  const why = gettext(
    "This browser asks once only: a second round of chance would wear your protection down. What you sent is no longer kept here.",
  );
  const offers = (parts.features ?? []).map((feature) => feature.answered?.(whole)).filter(Boolean);
  return screen({ title, body: [el("p", {}, why), receiptCard(receipt), ...offers, ...closing(whole)] });
}

/** @param {string} receipt */
function receiptCard(receipt) {
  const label = el("p", { class: "label" }, gettext("Your receipt"));
  const code = el("p", { class: "receipt__code" }, el("bdi", { dir: "ltr" }, receipt));
  const note = gettext("Keep it if you may have to show that you answered. It leads nobody to your answers.");
  const selected = gettext("The receipt is selected; copy it from here.");
  const copy = button(gettext("Copy"), () => copyText(receipt, code, selected));
  const print = button(gettext("Print"), () => window.print());
  const actions = el("div", { class: "cluster" }, copy, print);
  return el("div", { class: "card receipt" }, label, code, el("p", { class: "small" }, note), actions);
}

/**
 * @param {SurveyParameters} parameters
 * @param {ResponseBody} sent
 * @param {Parts} parts
 */
function fields(parameters, sent, parts) {
  const rows = parameters.questions.flatMap((question) =>
    devicesOf(parameters, question).map((device) => {
      const look = parts.lookOf(device);
      return (look.row ?? answerRow)(question, device, sent.reports, look, parameters);
    }),
  );
  rows.push(...(parts.picking?.strataRows(sent.strata ?? {}) ?? []));
  const beside = (parts.features ?? []).flatMap((feature) => feature.rows?.(parameters, sent) ?? []);
  rows.push(...beside.map((words) => plainRow(...words)));
  const once = gettext("A random number, so that this response is stored once.");
  rows.push(plainRow("submission", sent.submission, [once, parts.picking?.idWords?.()].filter(Boolean).join(" ")));
  rows.push(plainRow("digest", sent.digest, gettext("Names the frozen survey that you saw.")));
  const { name = "", meaning } = parts.own?.key ?? {};
  if (meaning) rows.push(plainRow(name, String(sent[name]), meaning));
  return el("dl", { class: "fields" }, ...rows);
}

/**
 * @param {Question} question
 * @param {Device} device
 * @param {Reports} reports
 * @param {Look} look
 */
function answerRow(question, device, reports, look) {
  const { text, randomized, categories } = question;
  const report = reports[device.id];
  const versions = randomized && report !== undefined && look.versions?.([device], [report]);
  const code = versions ? versions.codes[0] : report;
  const value = report === undefined ? gettext("left out") : JSON.stringify(report);
  const meaning = () => {
    if (code === undefined) return [gettext("Nothing was sent for this question.")];
    if (versions) return [versions.list];
    const letter = look.letter?.(code) ?? device.reports[Number(code)];
    if (randomized) return [look.picture?.(code) ?? symbol(Number(code), letter), fill(gettext("Scrambled: %(code)s"), look.nameOf(letter))];
    return [fill(gettext("Sent as it is: %(code)s"), answersOf(question, device)[Number(code)])];
  };
  const content = el("span", { class: "fields__code" }, ...meaning());
  const option = categories[device.option ?? -1];
  const name = [el("code", {}, `reports.${device.id}: `), el("code", { class: "fields__value" }, value)];
  const answers = code === undefined ? undefined : look.meaning?.(question, device, code);
  const card = answers && el("span", { class: "small quiet fields__card" }, answers);
  return row(name, [small(option ? `${text} ${option}` : text), content, card]);
}

/** @type {(text: string, code: string) => string} */
const fill = (text, code) => interpolate(text, { code });

/**
 * @param {string} name
 * @param {string} value
 * @param {string} meaning
 */
function plainRow(name, value, meaning) {
  return row([el("code", {}, name)], [el("code", { class: "mono" }, value), small(meaning)]);
}

/** @type {(name: Child[], meaning: Child[]) => Element} */
const row = (name, meaning) => el("div", {}, el("dt", {}, ...name), el("dd", {}, ...meaning));
/** @param {string} text */
const small = (text) => el("span", { class: "small quiet" }, text);

/** @param {SurveyParameters} parameters */
function closing({ contact }) {
  const check = byId("check-link").getAttribute("href");
  const link = el("p", {}, el("a", { href: check }, gettext("How to check what your browser ran")));
  if (!contact) return [link];
  return [el("h3", {}, gettext("Whom to ask")), el("p", { class: "author-text", dir: "auto" }, contact), link];
}
