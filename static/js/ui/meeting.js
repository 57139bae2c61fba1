import { el } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";

// What chance does, the same whatever is answered: a sentence, a picture for the first of a kind, numbers to unfold.

/** @type {Set<string>} */
const met = new Set();

/**
 * @param {string} kind
 * @param {string} sentence
 * @param {() => Element[]} draw
 * @param {Element} numbers
 */
export function meeting(kind, sentence, draw, numbers) {
  const drawing = !met.has(kind) && el("div", { class: "meeting__drawing", "aria-hidden": "true" }, ...draw());
  met.add(kind);
  const more = el("details", {}, el("summary", {}, gettext("The exact numbers")), numbers);
  return el("div", { class: "meeting" }, el("div", { class: "meeting__lead" }, drawing, el("p", {}, sentence)), more);
}

/**
 * @param {Question} question
 * @param {Device[]} devices
 * @param {Parts} parts
 */
export function explained(question, devices, { boxes, lookOf }) {
  const [device] = devices;
  const look = lookOf(device);
  const sentence = [devices.length > 1 && boxes().words.apart, look.lead(question, device)].filter(Boolean).join(" ");
  const kind = [question.control, device.look, device.reports?.length === 2, devices.length > 1].join();
  return meeting(kind, sentence, () => look.drawing(question, device), look.numbers(question, device));
}
