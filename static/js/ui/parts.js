import { gettext } from "../lib/i18n.js";
import { late } from "../lib/late.js";
import { isDeck } from "../rr/cards.js";
import { PAGE } from "../rr/device.js";
import { isSeveral } from "../rr/wire.js";
import * as few from "./frequencies.js";
import { landed, wheel } from "./wheel.js";

/**
 * How a device looks and speaks.
 * @typedef {object} Look
 * @property {Object<string, () => string>} words
 * @property {(letter: string) => string} named what is sent, in a sentence
 * @property {(device, truth) => {node: Element, spin: Function}} chance stands there until the draw
 * @property {(question, device, code) => Element} landed stands there after it
 * @property {Function} arrays, outcomes, who (see frequencies.js)
 */

const WHEEL = {
  words: {
    act: () => gettext("Spin"),
    missing: () => gettext("Spin before you go on."),
    once: () => gettext("You spin once. Spinning again and again would wear your protection down."),
    nothing: () => gettext("So no code proves anything."),
    same: () => gettext("Can people with different answers send the same code?"),
  },
  named: (letter) => letter,
  chance: wheel,
  landed,
};
const FEW = { ...WHEEL, ...few };

const isMany = ({ design, reports }) => design !== "direct" && reports.length > 2;

/**
 * What only some surveys need, loaded for them before anything is asked: the parameters decide, the
 * same for everybody.
 * @returns {Promise<{boxes: Function | undefined, lookOf: (device) => Look}>}
 */
export async function partsFor({ questions, devices: all }) {
  const devices = all.filter(({ stratum }) => stratum === PAGE);
  const need = (needed, part, load) => (needed ? late(part, load) : {});
  const [{ boxes }, many, cards] = await Promise.all([
    need(questions.some(isSeveral), "boxes", () => import("./boxes.js")),
    need(devices.some((x) => isMany(x) && !isDeck(x)), "many", () => import("./many.js")),
    need(devices.some(isDeck), "cards", () => import("./cards.js")),
  ]);
  const MANY = { ...FEW, ...many };
  return { boxes, lookOf: (device) => (isDeck(device) ? cards : isMany(device) ? MANY : FEW) };
}
