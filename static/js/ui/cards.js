import { el, svg } from "../lib/dom.js";
import { formatList, gettext, interpolate } from "../lib/i18n.js";
import { cardsShown, deckShares } from "../rr/cards.js";
import { figure, table } from "./frequencies.js";
import { crowdFor } from "./many.js";
import { moved, symbol } from "./wheel.js";

// A deck: the report is a card that shows some of the answers. Nothing here is told the true one.

export const words = {
  act: gettext("Draw a card"),
  missing: gettext("Draw a card before you go on."),
  once: gettext("You draw once. Drawing again and again would wear your protection down."),
  nothing: gettext("So no card proves anything."),
  same: gettext("Can people with different answers draw the same card?"),
};

/** @param {string} letter */
export const named = (letter) => interpolate(gettext("card %(code)s"), { code: letter });

/**
 * Of how many people so many draw a card that shows their answer.
 * @param {Device} device
 * @returns {Told}
 */
function kept(device) {
  const share = deckShares(device.columns[0], cardsShown(device)).kept / device.denominator;
  const people = crowdFor([share, 1 - share], 1);
  const shown = Math.round(share * people);
  const text = gettext(
    "Of %(people)s people with the same real answer, %(kept)s draw a card that shows it and %(changed)s one that does not.",
  );
  const words = interpolate(text, { people, kept: shown, changed: people - shown });
  return { groups: [shown, people - shown], words };
}

/**
 * @param {Question} _question
 * @param {Device} device
 */
export function arrays(_question, device) {
  const { groups, words: told } = kept(device);
  const values = { shown: cardsShown(device)[0].length, all: device.columns.length };
  const text = gettext("Every card shows %(shown)s of the %(all)s answers. Chance draws one, and the card is what is sent.");
  const picture = el("div", { class: "arrays arrays--one" }, figure(groups, told));
  return el("div", {}, el("p", {}, interpolate(text, values)), picture);
}

/**
 * How many of how many draw one certain card: with their answer on it, and without. In a crowd so
 * large that rounding leaves the two apart.
 * @param {Device} device
 */
function cardFrequencies(device) {
  const { denominator } = device;
  const { on, off } = deckShares(device.columns[0], cardsShown(device));
  const people = crowdFor([on / denominator, off / denominator], 1.5);
  /** @param {number} entry */
  const count = (entry) => Math.round((entry / denominator) * people);
  return { people, on: count(on), off: count(off) };
}

/**
 * @param {Question} question
 * @param {Device} device
 */
export function outcomes(question, device) {
  const text = gettext(
    "Each of them is drawn by %(on)s of %(people)s people whose real answer is on it and by %(off)s of %(people)s of all others.",
  );
  const caption = interpolate(text, cardFrequencies(device));
  const head = [gettext("Card"), gettext("Answers on it")];
  const shown = cardsShown(device);
  /** @param {number} u */
  const names = (u) => formatList(shown[u].map((v) => question.categories[v]));
  const rows = device.reports.map((letter, u) => [letter, names(u)]);
  const all = table({ caption, head, rows, look: "deck" });
  const more = el("details", {}, el("summary", {}, gettext("All cards, and how often each is drawn")), all);
  return el("div", {}, el("p", { class: "small" }, kept(device).words), more);
}

/**
 * @param {Question} _question
 * @param {Device} device
 * @param {number} code
 * @returns {Explained}
 */
export function who(_question, device, code) {
  const text = gettext(
    "%(code)s is drawn by %(on)s of %(people)s people whose real answer is on the card and by %(off)s of %(people)s of all others.",
  );
  return { text: interpolate(text, { ...cardFrequencies(device), code: device.reports[code] }) };
}

/**
 * The drawn card, face up: all its answers alike.
 * @param {Question} question
 * @param {Device} device
 * @param {number} code
 */
export function landed(question, device, code) {
  const letter = device.reports[code];
  const answers = cardsShown(device)[code].map((v) => el("li", {}, question.categories[v]));
  const head = el("p", { class: "drawn__head" }, symbol(code, letter), cardName(letter));
  const look = answers.length > 8 ? "drawn__answers drawn__answers--many" : "drawn__answers";
  return el("div", { class: "drawn" }, head, el("ul", { class: look }, ...answers));
}

/** @param {string} letter */
const cardName = (letter) => interpolate(gettext("Card %(code)s"), { code: letter });

/**
 * What the sent screen says about a card.
 * @param {Question} question
 * @param {Device} device
 * @param {number} code
 */
export function meaning(question, device, code) {
  const answers = cardsShown(device)[code].map((v) => question.categories[v]);
  return interpolate(gettext("It shows: %(answers)s"), { answers: formatList(answers) });
}

const DRAW_MS = 900;
const SPREAD = 100;
// The pivot of the fan lies so far below the middle of a card.
const REACH = 150;

/**
 * Every card face down; the fan is the same whatever is chosen, and so is its motion.
 * @param {Device} device
 * @returns {Disc}
 */
export function chance(device) {
  const count = device.reports.length;
  const angles = device.reports.map((_, u) => SPREAD * (u / (count - 1) - 0.5));
  const backs = angles.map(back);
  const frame = { viewBox: "-170 -200 340 150", class: "fan", "aria-hidden": "true" };
  const picture = svg("svg", frame, ...backs);
  const told = el("figcaption", { class: "small" }, kept(device).words);
  const node = el("figure", { class: "fan-figure" }, picture, told);
  return { node, spin: (_spot, stop) => draw(backs, angles, stop) };
}

/** @param {number} angle in degrees */
function back(angle) {
  const card = { x: -23, y: -REACH - 35, width: 46, height: 70, rx: 5, class: "back" };
  const inner = { x: -18, y: -REACH - 30, width: 36, height: 60, rx: 3, class: "back__inner" };
  const turned = { transform: `rotate(${angle.toFixed(2)})`, class: "fan__card" };
  return svg("g", turned, svg("rect", card), svg("rect", inner));
}

/**
 * Closed, opened again, and the card in the middle comes out; which one it is is not known here.
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
  await moved(motions, DRAW_MS, stop);
}
