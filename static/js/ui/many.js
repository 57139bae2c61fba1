import { el } from "../lib/dom.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { isSeveral } from "../rr/wire.js";
import * as few from "./frequencies.js";
import { CROWDS, answersOf, crowd, figure, isUniform } from "./frequencies.js";
import { table } from "./table.js";

// Devices with three letters or more.

const MOST_CLAUSES = 3;
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
 * What chance does in numbers, to unfold: a picture and the letter of each answer, or a table where the answers differ.
 * @param {Question} question
 * @param {Device} device
 */
export function numbers(question, device) {
  const { people, counts } = crowd(device);
  const answers = answersOf(question, device);
  if (!isUniform(device)) {
    if (device.reports.length <= MOST_CLAUSES) return few.numbers(question, device);
    return el("div", {}, el("p", {}, boundedWords(device)), outcomeTable(device, answers, people, counts));
  }
  const kept = counts[0][0];
  const text = gettext(
    "Of %(people)s people with the same answer, %(kept)s send its letter. The others send another one, each equally often.",
  );
  const picture = figure([kept, people - kept], interpolate(text, { people, kept }));
  const look = el("div", { class: "arrays arrays--one" }, picture);
  if (isSeveral(question) && answers.length > MOST_ROWS) return look;
  const rows = answers.map((answer, v) => [answer, device.reports[v]]);
  const head = [gettext("Real answer"), gettext("Its letter")];
  return el("div", {}, look, table({ caption: gettext("The letter of each answer"), head, rows }));
}

/**
 * An upper bound for every answer and every letter of any table.
 * @param {Device} device
 */
function boundedWords({ columns, denominator }) {
  const most = Math.ceil((Math.max(...columns.flat()) / denominator) * 100);
  const text = gettext("Of %(people)s people with the same answer, at most %(most)s send the same letter.");
  return interpolate(text, { people: 100, most });
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
  const { denominator, reports, columns } = device;
  const { people } = crowd(device);
  /** @param {number} entry */
  const count = (entry) => Math.round((entry / denominator) * people);
  const [own, other] = [columns[code][code], columns[code ? 0 : 1][code]].map(count);
  const of = gettext("Of %(people)s people who mean “%(answer)s”, %(count)s send %(letter)s.");
  const others = gettext("Of %(people)s people with another answer, %(count)s send it too.");
  const values = { people, answer: answersOf(question, device)[code], letter: reports[code] };
  return `${interpolate(of, { ...values, count: own })} ${interpolate(others, { people, count: other })}`;
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
  const values = { people, letter, least: Math.min(...counts), most: Math.max(...counts) };
  const text =
    values.least === values.most
      ? gettext("Of %(people)s people with the same real answer, %(most)s send %(letter)s, whichever answer it is.")
      : gettext(
          "Of %(people)s people with the same real answer, %(least)s to %(most)s send %(letter)s: how many depends on the answer.",
        );
  const caption = interpolate(gettext("Of %(people)s people, so many send %(letter)s"), values);
  const rows = answersOf(question, device).map((answer, v) => [answer, formatNumber(counts[v])]);
  const all = table({ caption, head: [gettext("Real answer"), letter], rows });
  const title = gettext("How many with each real answer");
  return { text: interpolate(text, values), more: el("details", {}, el("summary", {}, title), all) };
}

/**
 * @param {Device} device
 * @param {string[]} answers
 * @param {number} people
 * @param {number[][]} counts
 */
function outcomeTable({ reports }, answers, people, counts) {
  const caption = interpolate(gettext("Of %(people)s people, so many send"), { people });
  const head = [gettext("Real answer"), ...reports];
  const rows = counts.map((column, v) => [answers[v], ...column.map(formatNumber)]);
  return table({ caption, head, rows, wide: reports.length > 6 });
}
