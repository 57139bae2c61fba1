import { el, svg } from "../lib/dom.js";
import { formatList, formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { frequencies } from "../rr/device.js";
import { isSeveral } from "../rr/wire.js";
import { shape } from "./wheel.js";

// Pictures and sentences, computed from the frozen integers; none depends on anybody's answer.

const CROWDS = [100, 1000, 10_000];

/** What the columns of a device stand for, in words. */
export function answersOf(question, device) {
  const { categories, prefer_not: refusal } = question;
  if (!isSeveral(question)) return categories;
  if (device.columns.length === 2) return [gettext("Not ticked"), gettext("Ticked")];
  const set = (v) => categories.filter((_, i) => Math.floor(v / 2 ** i) % 2);
  const names = device.columns.map((_, v) => formatList(set(v)) || gettext("None of these"));
  return refusal ? [...names.slice(0, -1), categories.at(-1)] : names;
}

// The smallest crowd in which everything that can happen does happen to somebody.
function crowd(device) {
  const shown = (counts) =>
    counts.every((column, v) => column.every((n, u) => n > 0 || device.columns[v][u] === 0));
  const tries = CROWDS.map((people) => ({ people, counts: frequencies(device, people) }));
  return tries.find(({ counts }) => shown(counts)) ?? tries.at(-1);
}

// Whether every answer is kept equally often, and changed into each other one equally often.
function isUniform({ columns, reports }) {
  const [kept, other] = [columns[0][0], columns[0][1]];
  const even = (column, v) =>
    column.every((entry, u) => Math.abs(entry - (u === v ? kept : other)) <= reports.length);
  return columns.length === reports.length && columns.every(even);
}

/** Icon arrays with captions that say the same in words. */
export function iconArrays(question, device) {
  const answers = answersOf(question, device);
  const { people, counts } = crowd(device);
  const figures =
    device.reports.length > 2 && isUniform(device)
      ? [figure([counts[0][0], people - counts[0][0]], keptSentence(device, people, counts))]
      : counts.map((column, v) =>
          figure(column, sentence(device, people, column, answers[v])),
        );
  return el("div", { class: "arrays" }, ...figures);
}

function figure(groups, words) {
  const total = groups.reduce((sum, n) => sum + n, 0);
  const icons = groups.flatMap((n, group) => Array(Math.round((n / total) * 100)).fill(group));
  const cells = icons.slice(0, 100).map((group, i) => cell(group, i));
  const picture = svg("svg", { viewBox: "0 0 200 200", class: "array", "aria-hidden": "true" }, ...cells);
  return el("figure", { class: "array-figure" }, picture, el("figcaption", {}, words));
}

function cell(group, i) {
  const place = `translate(${10 + (i % 10) * 20} ${10 + Math.floor(i / 10) * 20}) scale(0.42)`;
  return svg("g", { transform: place }, shape(group));
}

function sentence(device, people, column, answer) {
  const parts = column.map((count, u) =>
    interpolate(gettext("%(count)s send %(code)s"), { count, code: device.reports[u] }),
  );
  return interpolate(gettext("Of %(people)s people whose real answer is “%(answer)s”: %(parts)s."), {
    people,
    answer,
    parts: formatList(parts),
  });
}

function keptSentence({ reports }, people, counts) {
  const kept = counts[0][0];
  const values = { people, kept, changed: people - kept, others: reports.length - 1 };
  return interpolate(
    gettext(
      "Of %(people)s people with the same real answer, %(kept)s send its own code and %(changed)s one of the other %(others)s codes.",
    ),
    values,
  );
}

/** What each true answer can turn into, before anybody has chosen. */
export function outcomes(question, device) {
  const { people, counts } = crowd(device);
  const same = isUniform(device) && keptSentence(device, people, counts);
  if (isSeveral(question) && same && counts.length > 8) return el("p", { class: "small" }, same);
  const table = outcomeTable(device, answersOf(question, device), people, counts);
  if (device.reports.length <= 3) return table;
  const title = gettext("Every answer and what it can turn into");
  const more = el("details", {}, el("summary", {}, title), table);
  return same ? el("div", {}, el("p", { class: "small" }, same), more) : more;
}

/** Of a device with codes that only one answer can send: how often it does; for others null. */
export function proofs(question, device) {
  const answers = answersOf(question, device);
  const lines = device.columns.flatMap((column, v) => {
    const others = device.columns.filter((other) => other !== column);
    const alone = column.filter((_, u) => others.every((other) => other[u] === 0));
    const share = alone.reduce((sum, entry) => sum + entry, 0) / device.denominator;
    if (share === 0) return [];
    const people = [1000, 10_000, 100_000].find((n) => share * n >= 2) ?? 1_000_000;
    const values = { people, answer: answers[v], count: Math.ceil(share * people) };
    const text = gettext(
      "Of %(people)s people whose real answer is “%(answer)s”, %(count)s send a code that only they can send.",
    );
    return [interpolate(text, values)];
  });
  return lines.length > 0 ? el("p", { class: "notice notice--chance" }, lines.join(" ")) : null;
}

function outcomeTable({ reports }, answers, people, counts) {
  const title = interpolate(gettext("Of %(people)s people, so many send"), { people });
  const head = [gettext("Real answer"), ...reports].map((name, i) =>
    el("th", { scope: "col", class: i ? "num" : null }, name),
  );
  const rows = counts.map((column, v) => {
    const cells = column.map((n) => el("td", { class: "num" }, formatNumber(n)));
    return el("tr", {}, el("th", { scope: "row" }, answers[v]), ...cells);
  });
  const table = el(
    "table",
    { class: "outcomes" },
    el("caption", {}, title),
    el("thead", {}, el("tr", {}, ...head)),
    el("tbody", {}, ...rows),
  );
  const frame = { class: "table-wrap", tabindex: "0", role: "region", "aria-label": title };
  return el("div", reports.length > 6 ? frame : { class: "table-wrap" }, table);
}

/** Who sends this code: the same words whatever the person's own answer was. */
export function whoSends(question, device, code) {
  const answers = answersOf(question, device);
  const { people, counts } = crowd(device);
  const shares = counts.map((column) => column[code]);
  const values = { people, code: device.reports[code], answer: answers[code], kept: shares[code] };
  if (shares.length > 2 && isUniform(device)) {
    const other = Math.round((people * device.columns[code ? 0 : 1][code]) / device.denominator);
    const text = gettext(
      "%(code)s is sent by %(kept)s of %(people)s whose real answer is “%(answer)s” and by %(other)s of %(people)s with any other answer.",
    );
    return interpolate(text, { ...values, other });
  }
  const parts = shares.map((count, v) =>
    interpolate(gettext("%(count)s of %(people)s whose real answer is “%(answer)s”"), {
      count,
      people,
      answer: answers[v],
    }),
  );
  return interpolate(gettext("%(code)s is sent by %(parts)s."), { ...values, parts: formatList(parts) });
}
