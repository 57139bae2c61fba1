import { announce, button, el, freshId, svg } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { distanceCounts, numberOf, orderOf } from "../rr/ranking.js";
import { crowd, figure } from "./frequencies.js";
import { wheel } from "./wheel.js";

// A ranking: its items are put in an order one after the other, and chance sends an order near it, or another one.

export const words = {
  act: gettext("Spin"),
  missing: gettext("Spin before you go on."),
  once: gettext("You spin once. Spinning again and again would wear your protection down."),
  noProof: gettext("No order proves an answer."),
  same: gettext("Can people with different orders send the same order?"),
};

/** @param {string} name */
export const nameOf = (name) => name;

/**
 * A report without its items: its number.
 * @param {number} report
 */
export const letter = (report) => interpolate(gettext("order %(number)s"), { number: report + 1 });

/** The same for every report, which is in the words beside it. */
export const picture = () =>
  svg("svg", { viewBox: "-22 -22 44 44", class: "symbol", "aria-hidden": "true" }, svg("path", { class: "shape", d: "M-16-14H16V-6H-16ZM-16-3H8V5H-16ZM-16 8H0V16H-16Z" }));

/** @param {AnyDevice} device */
const tableOf = ({ table }) => /** @type {RankingTable} */ (table);

/**
 * The distance up to which orders are likelier, and what adds up to it, to all other orders, and to a refusal.
 * @param {AnyDevice} device
 */
function shares(device) {
  const { items, weights, refusal } = tableOf(device);
  const counts = distanceCounts(items);
  const near = weights.filter((weight) => weight > weights[weights.length - 1]).length - 1;
  /** @type {(from: number, to?: number) => number} */
  const sum = (from, to) => weights.slice(from, to).reduce((all, weight, d) => all + weight * counts[from + d], 0);
  return { near, columns: [[sum(0, near + 1), sum(near + 1), refusal?.[0] ?? 0]] };
}

/**
 * What chance does, as a device of three reports: an order near, another one, a refusal.
 * @param {AnyDevice} device
 */
function parts(device) {
  const { denominator } = tableOf(device);
  const { columns } = shares(device);
  return /** @type {Device} */ ({ columns, denominator, reports: ["1", "2", "3"] });
}

/**
 * @param {Question} _question
 * @param {Device} device
 */
export const lead = (_question, device) =>
  shares(device).near
    ? gettext("Chance sends your order, one near it, or one that is further away.")
    : gettext("Chance sends your order, or picks another one.");

/**
 * @param {Question} question
 * @param {AnyDevice} device
 */
export const drawing = (question, device) => [wheel(parts(device), 0).node, legend(question.prefer_not, device)];

/**
 * @param {boolean} refusal
 * @param {AnyDevice} device
 */
function legend(refusal, device) {
  const first = shares(device).near ? gettext("1: your order or one near it.") : gettext("1: your order.");
  const texts = [first, gettext("2: another order."), refusal && gettext("3: “prefer not to say”.")];
  return el("p", { class: "small quiet" }, texts.filter(Boolean).join(" "));
}

/**
 * @param {AnyDevice} device
 */
function counted(device) {
  const { near } = shares(device);
  const { people, counts } = crowd(parts(device));
  return { people, pairs: near, kept: counts[0][0] };
}

/**
 * @param {Question} _question
 * @param {AnyDevice} device
 */
export function numbers(_question, device) {
  const values = counted(device);
  const text = values.pairs
    ? gettext("Of %(people)s people with the same order, %(kept)s send one in which at most %(pairs)s pairs are the other way round.")
    : gettext("Of %(people)s people with the same order, %(kept)s send it.");
  return el("div", { class: "arrays arrays--one" }, figure([values.kept, values.people - values.kept], interpolate(text, values)));
}

/**
 * The wheel of an order; of a refusal its own.
 * @param {AnyDevice} device
 * @param {number} truth
 * @returns {Disc}
 */
export function chance(device, truth) {
  const { refusal, denominator } = tableOf(device);
  const orders = Number(device.truths) - Number(refusal !== null);
  const own = refusal && truth === orders ? [0, refusal[2] * orders, refusal[1]] : parts(device).columns[0];
  const { node, spin } = wheel(/** @type {Device} */ ({ columns: [own], denominator, reports: ["1", "2", "3"] }), 0);
  return { node: el("div", { class: "each-bit" }, node, legend(refusal !== null, device)), spin };
}

/**
 * The items of a report in its order, or the refusal alone.
 * @param {Question} question
 * @param {number} report
 */
function labels({ categories, prefer_not: refusal }, report) {
  const items = categories.slice(0, categories.length - Number(refusal));
  if (refusal && report === distanceCounts(items.length).reduce((sum, count) => sum + count, 0)) return categories.slice(-1);
  return orderOf(report, items.length).map((item) => items[item]);
}

/**
 * @param {Question} question
 * @param {AnyDevice} _device
 * @param {number} report
 */
export const meaning = (question, _device, report) => labels(question, report).join(" › ");

/**
 * @param {Question} question
 * @param {AnyDevice} _device
 * @param {number} report
 */
export function result(question, _device, report) {
  const names = labels(question, report).map((name) => el("li", { dir: "auto" }, name));
  const list = el("ol", { class: names.length > 1 ? "drawn__answers drawn__answers--ranked" : "drawn__answers" }, ...names);
  return el("div", { class: "drawn" }, el("p", { class: "drawn__head" }, gettext("What chance made of your answer")), list);
}

/**
 * @param {Question} _question
 * @param {AnyDevice} device
 * @returns {Explained}
 */
export function who(_question, device) {
  const values = counted(device);
  const text = values.pairs
    ? gettext(
        "It is scrambled. Of %(people)s people with the same order, %(kept)s send one in which at most %(pairs)s pairs are the other way round. People with any other order can send this one, too.",
      )
    : gettext("It is scrambled. Of %(people)s people with the same order, %(kept)s send it. People with any other order can send this one, too.");
  return { text: interpolate(text, values) };
}

/** @type {MakeControl} */
export const control = (question, _device, naming, onChange) => ranking(question, naming, onChange);

/**
 * A button for each item, without name and value: pressed one after the other they get the ranks, and a pressed one gives
 * its rank back. The items keep their places, and nothing has to be dragged.
 * @param {Question} question
 * @param {Naming} naming
 * @param {() => void} onChange
 * @returns {Control<number>}
 */
function ranking({ categories, prefer_not: refusal }, naming, onChange) {
  const items = categories.slice(0, categories.length - Number(refusal));
  const hintId = freshId();
  /** @type {number[]} */
  let order = [];
  const ranks = items.map(() => el("span", { class: "ranking__rank", "aria-hidden": "true" }));
  const spoken = items.map(() => el("span", { class: "visually-hidden" }));
  const buttons = items.map((label, item) =>
    el("button", { type: "button", class: "option ranking__item", onclick: () => press(item) }, ranks[item], el("span", { dir: "auto" }, label), " ", spoken[item]),
  );
  const refuse = refusal ? el("input", { type: "checkbox", id: freshId(), autocomplete: "off" }) : null;
  const row = refuse && el("label", { class: "option", for: refuse.id }, refuse, el("span", {}, categories[categories.length - 1]));
  const undo = button(gettext("Take the last rank back"), () => takeBack(), "button--quiet");
  const left = el("p", { class: "small quiet ranking__left" });
  const node = el(
    "div",
    { role: "group", class: "options ranking", ...naming },
    el("p", { class: "small quiet", id: hintId }, gettext("Tap the items in your order: the first one first. Tap one again to take its rank back.")),
    ...buttons,
    el("div", { class: "ranking__row" }, left, undo),
    row,
  );

  const show = () => {
    items.forEach((_, item) => {
      const place = order.indexOf(item);
      ranks[item].textContent = place < 0 ? "" : `${place + 1}.`;
      spoken[item].textContent = place < 0 ? gettext("(no rank yet)") : interpolate(gettext("(rank %(rank)s)"), { rank: place + 1 });
      buttons[item].classList.toggle("ranking__item--ranked", place >= 0);
    });
    left.textContent = interpolate(gettext("%(ranked)s of %(items)s items have a rank."), { ranked: order.length, items: items.length });
    // A button that has the focus must not vanish.
    undo.disabled = !order.length && undo !== document.activeElement;
  };
  /** @param {number[]} next */
  const rank = (next) => {
    order = next;
    if (refuse) refuse.checked = false;
    show();
    onChange();
  };
  /** @param {number} item */
  const press = (item) => {
    const isRanked = order.includes(item);
    rank(isRanked ? order.filter((other) => other !== item) : [...order, item]);
    const text = isRanked ? gettext("%(item)s: no rank yet.") : gettext("%(item)s: rank %(rank)s of %(items)s.");
    announce(interpolate(text, { item: items[item], rank: order.length, items: items.length }));
  };
  const takeBack = () => {
    const last = order[order.length - 1];
    if (last !== undefined) press(last);
  };
  refuse?.addEventListener("change", () => {
    order = [];
    show();
    onChange();
  });
  const clear = () => {
    order = [];
    if (refuse) refuse.checked = false;
    show();
  };
  clear();
  const choice = () => {
    if (refuse?.checked) return distanceCounts(items.length).reduce((sum, count) => sum + count, 0);
    return order.length === items.length ? numberOf(order) : null;
  };
  const problem = () => (order.length && order.length < items.length ? gettext("Give every item a rank before you go on.") : "");
  return { node, choice, clear, focus: () => (buttons.find((_, item) => !order.includes(item)) ?? buttons[0]).focus(), problem };
}
