import { el, svg } from "../lib/dom.js";
import { formatList, gettext, interpolate } from "../lib/i18n.js";
import { answersOnCards, cardShares } from "../rr/cards.js";
import { figure, often } from "./frequencies.js";
import { table } from "./table.js";
import { crowdFor } from "./many.js";
import { finishMotions, symbol } from "./wheel.js";

// Reports as cards that show some of the answers; no function here gets the true one.

export const words = {
  act: gettext("Draw a card"),
  missing: gettext("Draw a card before you go on."),
  once: gettext("You draw once. Drawing again and again would wear your protection down."),
  noProof: gettext("No card proves an answer."),
  same: gettext("Can people with different answers draw the same card?"),
};

/** @param {string} letter */
export const nameOf = (letter) => interpolate(gettext("card %(code)s"), { code: letter });

/** @param {Device} device */
const showingShare = (device) => cardShares(device.columns[0], answersOnCards(device)).shows / device.denominator;

/**
 * @param {Question} _question
 * @param {Device} device
 */
export const lead = (_question, device) =>
  interpolate(gettext("%(often)s people draw a card that shows their real answer."), { often: often(showingShare(device)) });

/**
 * @param {Question} _question
 * @param {Device} device
 */
export const drawing = (_question, device) => [el("figure", {}, fan(device).node)];

/**
 * How many people draw a given card, with their answer on it and without.
 * @param {Device} device
 */
function cardFrequencies(device) {
  const { denominator } = device;
  const { on, off } = cardShares(device.columns[0], answersOnCards(device));
  // Large enough that rounding does not make the two equal.
  const people = crowdFor([on / denominator, off / denominator], 1.5);
  /** @param {number} entry */
  const count = (entry) => Math.round((entry / denominator) * people);
  return { people, on: count(on), off: count(off) };
}

/**
 * How many people draw a card that shows their answer, and all cards.
 * @param {Question} question
 * @param {Device} device
 */
export function numbers(question, device) {
  const share = showingShare(device);
  const people = crowdFor([share, 1 - share], 1);
  const shown = Math.round(share * people);
  const text = gettext("Of %(people)s people with the same answer, %(count)s draw a card that shows it.");
  const picture = figure([shown, people - shown], interpolate(text, { people, count: shown }));
  const caption = gettext("Each card: of %(people)s people with an answer on it, %(on)s draw it. Of %(people)s others, %(off)s do.");
  const head = [gettext("Card"), gettext("Answers on it")];
  const cards = answersOnCards(device);
  /** @param {number} u */
  const names = (u) => formatList(cards[u].map((v) => question.categories[v]));
  const rows = device.reports.map((letter, u) => [letter, names(u)]);
  const all = table({ caption: interpolate(caption, cardFrequencies(device)), head, rows, look: "cards" });
  return el("div", {}, el("div", { class: "arrays arrays--one" }, picture), all);
}

/**
 * @param {Question} _question
 * @param {Device} device
 * @param {number} _code
 * @returns {Explained}
 */
export function who(_question, device, _code) {
  const text = gettext(
    "Of %(people)s people with an answer on this card, %(on)s draw it. Of %(people)s people with another answer, %(off)s draw it too.",
  );
  return { text: interpolate(text, cardFrequencies(device)) };
}

/**
 * The drawn card, face up.
 * @param {Question} question
 * @param {Device} device
 * @param {number} code
 */
export function result(question, device, code) {
  const letter = device.reports[code];
  const answers = answersOnCards(device)[code].map((v) => el("li", {}, question.categories[v]));
  const head = el("p", { class: "drawn__head" }, symbol(code, letter), cardName(letter));
  const look = answers.length > 8 ? "drawn__answers drawn__answers--many" : "drawn__answers";
  return el("div", { class: "drawn" }, head, el("ul", { class: look }, ...answers));
}

/** @param {string} letter */
const cardName = (letter) => interpolate(gettext("Card %(code)s"), { code: letter });

/**
 * A card in words, for the last screen.
 * @param {Question} question
 * @param {Device} device
 * @param {number} code
 */
export function meaning(question, device, code) {
  const answers = answersOnCards(device)[code].map((v) => question.categories[v]);
  return interpolate(gettext("It shows: %(answers)s"), { answers: formatList(answers) });
}

const DRAW_MS = 900;
const SPREAD = 100;
// From the middle of a card down to the pivot of the fan.
const REACH = 150;

/**
 * Every card face down, and what chance does with them in words.
 * @param {Device} device
 * @returns {Disc}
 */
export function chance(device) {
  const { node: picture, spin } = fan(device);
  const caption = el("figcaption", { class: "small" }, lead(/** @type {Question} */ ({}), device));
  return { node: el("figure", { class: "fan-figure" }, picture, caption), spin };
}

/**
 * Fan and motion are the same for every answer.
 * @param {Device} device
 * @returns {Disc}
 */
function fan(device) {
  const count = device.reports.length;
  const angles = device.reports.map((_, u) => SPREAD * (u / (count - 1) - 0.5));
  const backs = angles.map(back);
  const frame = { viewBox: "-170 -200 340 150", class: "fan", "aria-hidden": "true" };
  const node = svg("svg", frame, ...backs);
  return { node, spin: (_spot, stop) => draw(backs, angles, stop) };
}

/** @param {number} angle in degrees */
function back(angle) {
  const card = { x: -23, y: -REACH - 35, width: 46, height: 70, rx: 5, class: "back" };
  const inner = { x: -18, y: -REACH - 30, width: 36, height: 60, rx: 3, class: "back__inner" };
  const group = { transform: `rotate(${angle.toFixed(2)})`, class: "fan__card" };
  return svg("g", group, svg("rect", card), svg("rect", inner));
}

/**
 * Closes and opens the fan, and moves out the card in the middle, whichever was drawn.
 * @param {Element[]} backs
 * @param {number[]} angles in degrees
 * @param {AbortSignal} stop
 */
async function draw(backs, angles, stop) {
  const middle = Math.floor(backs.length / 2);
  const motions = backs.map((node, u) => {
    const open = `rotate(${angles[u]}deg) translateY(0)`;
    const out = u === middle ? `rotate(${angles[u]}deg) translateY(-40px)` : open;
    const frames = [
      { transform: open },
      { transform: "rotate(0deg) translateY(0)", offset: 0.35 },
      { transform: open, offset: 0.7 },
      { transform: out },
    ];
    return node.animate(frames, { duration: DRAW_MS, easing: "ease-in-out", fill: "forwards" });
  });
  await finishMotions(motions, DRAW_MS, stop);
}
