import { el } from "../lib/dom.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { isSeveral } from "../rr/wire.js";
import * as few from "./frequencies.js";
import { CROWDS, answersOf, crowd, figure, outcomeTable, table } from "./frequencies.js";

// Devices with three codes or more: a short sentence first.

const MOST_CLAUSES = 3;
const MOST_PICTURES = 5;
const MOST_ROWS = 8;

/**
 * @param {number[]} shares
 * @param {number} least
 * @returns {number} the smallest crowd in which the rarest share is `least` people or more
 */
export function crowdFor(shares, least) {
  const rarest = Math.min(...shares.filter((share) => share > 0));
  return CROWDS.find((people) => rarest * people >= least) ?? CROWDS[CROWDS.length - 1];
}

/**
 * Whether the diagonal is constant, and all other entries are, up to rounding.
 * @param {Device} device
 */
function isUniform({ columns, reports }) {
  const [diagonal, other] = [columns[0][0], columns[0][1]];
  /** @type {(column: number[], v: number) => boolean} */
  const even = (column, v) =>
    column.every((entry, u) => Math.abs(entry - (u === v ? diagonal : other)) <= reports.length);
  return columns.length === reports.length && columns.every(even);
}

/**
 * @param {Question} question
 * @param {Device} device
 */
export function arrays(question, device) {
  if (!isUniform(device) && device.reports.length <= MOST_PICTURES) return few.arrays(question, device);
  const { groups, words } = isUniform(device) ? uniformCounts(device) : boundedCounts(device);
  return el("div", { class: "arrays" }, figure(groups, words));
}

/**
 * @param {Device} device
 * @returns {Counts}
 */
function uniformCounts(device) {
  const { people, counts } = crowd(device);
  const kept = counts[0][0];
  const others = device.reports.length - 1;
  const text = gettext(
    "Of %(people)s people with the same real answer, %(kept)s send its own code and %(changed)s one of the other %(others)s codes.",
  );
  const words = interpolate(text, { people, kept, changed: people - kept, others });
  return { groups: [kept, people - kept], words };
}

/**
 * An upper bound for every answer and every code of any table.
 * @param {Device} device
 * @returns {Counts}
 */
function boundedCounts({ columns, denominator, reports }) {
  const share = Math.max(...columns.flat()) / denominator;
  const most = Math.ceil(share * 100);
  const text = gettext(
    "Of %(people)s people with the same real answer, at most %(most)s send the same code; the others send one of the other %(others)s codes.",
  );
  const words = interpolate(text, { people: 100, most, others: reports.length - 1 });
  return { groups: [most, 100 - most], words };
}

/**
 * @param {Question} question
 * @param {Device} device
 */
export function outcomes(question, device) {
  const { people, counts } = crowd(device);
  const even = isUniform(device);
  const lead = el("p", { class: "small" }, (even ? uniformCounts : boundedCounts)(device).words);
  if (isSeveral(question) && even && counts.length > MOST_ROWS) return lead;
  const all = outcomeTable(device, answersOf(question, device), people, counts);
  if (device.reports.length <= MOST_CLAUSES) return all;
  const title = gettext("Every answer and what it can turn into");
  return el("div", {}, lead, el("details", {}, el("summary", {}, title), all));
}

/**
 * @param {Question} question
 * @param {Device} device
 * @param {number} code
 * @returns {Explained}
 */
export function who(question, device, code) {
  if (isUniform(device)) return { text: whoKeeps(question, device, code) };
  if (device.columns.length <= MOST_CLAUSES) return few.who(question, device, code);
  return whoOfMany(question, device, code);
}

/**
 * @param {Question} question
 * @param {Device} device
 * @param {number} code
 */
function whoKeeps(question, device, code) {
  const { people, counts } = crowd(device);
  const others = counts.filter((_, v) => v !== code).map((column) => column[code]);
  const [least, most] = [Math.min(...others), Math.max(...others)];
  // As in the table: whole people, so that equal chances may be a person apart.
  const other = least === most ? most : interpolate(gettext("%(least)s to %(most)s"), { least, most });
  const text = gettext(
    "%(code)s is sent by %(kept)s of %(people)s whose real answer is “%(answer)s” and by %(other)s of %(people)s with any other answer.",
  );
  const answer = answersOf(question, device)[code];
  const values = { code: device.reports[code], kept: counts[code][code], people, answer, other };
  return interpolate(text, values);
}

/**
 * @param {Question} question
 * @param {Device} device
 * @param {number} code
 * @returns {Explained}
 */
function whoOfMany(question, device, code) {
  const shares = device.columns.map((column) => column[code] / device.denominator);
  const people = crowdFor(shares, 5);
  const counts = shares.map((share) => Math.round(share * people));
  const letter = device.reports[code];
  const values = { people, code: letter, least: Math.min(...counts), most: Math.max(...counts) };
  const text =
    values.least === values.most
      ? gettext("Of %(people)s people with the same real answer, %(most)s send %(code)s, whichever answer it is.")
      : gettext(
          "Of %(people)s people with the same real answer, %(least)s to %(most)s send %(code)s: how many depends on the answer.",
        );
  const caption = interpolate(gettext("Of %(people)s people, so many send %(code)s"), values);
  const rows = answersOf(question, device).map((answer, v) => [answer, formatNumber(counts[v])]);
  const all = table({ caption, head: [gettext("Real answer"), letter], rows });
  const title = gettext("How many with each real answer");
  return { text: interpolate(text, values), more: el("details", {}, el("summary", {}, title), all) };
}
