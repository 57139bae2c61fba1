import { gettext } from "../lib/i18n.js";
import { late } from "../lib/late.js";
import { isDeck } from "../rr/cards.js";
import { PAGE, epsilonOf } from "../rr/device.js";
import { personLevel, questionLevel, strengthOf } from "../rr/strength.js";
import { isSeveral } from "../rr/wire.js";
import * as few from "./frequencies.js";
import { landed, wheel } from "./wheel.js";

// What stands there until the draw (chance) and after it (landed), and what is sent, in a sentence.
const WHEEL = {
  words: {
    act: gettext("Spin"),
    missing: gettext("Spin before you go on."),
    once: gettext("You spin once. Spinning again and again would wear your protection down."),
    nothing: gettext("So no code proves anything."),
    same: gettext("Can people with different answers send the same code?"),
  },
  named: (letter) => letter,
  chance: wheel,
  landed,
};
const FEW = { ...WHEEL, ...few };

const isProving = (device) => device.epsilon !== null && epsilonOf(device) === Infinity;
const isMany = ({ design, reports }) => design !== "direct" && reports.length > 2;

/**
 * What only some surveys need, loaded for them before anything is asked: the parameters decide, the
 * same for everybody. `boxes`, `rare` and `weak` are modules, or nothing; `level` is that of the
 * question with the weakest protection.
 */
export async function partsFor({ questions, devices: all }) {
  const devices = all.filter(({ stratum }) => stratum === PAGE);
  const need = (needed, part, load) => needed && late(part, load);
  const strength = strengthOf({ devices: all });
  const level = questionLevel(strength.question);
  const isWeak = level > 0 || personLevel(strength.person) > 0 || questions.some(({ reason }) => reason);
  const [boxes, many, cards, rare, weak] = await Promise.all([
    need(questions.some(isSeveral), "boxes", () => import("./boxes.js")),
    need(devices.some((x) => isMany(x) && !isDeck(x)), "many", () => import("./many.js")),
    need(devices.some(isDeck), "cards", () => import("./cards.js")),
    need(all.some(isProving), "rare", () => import("./rare.js")),
    need(isWeak, "weak", () => import("./weak.js")),
  ]);
  const MANY = { ...FEW, ...many };
  const lookOf = (device) => (isDeck(device) ? cards : isMany(device) ? MANY : FEW);
  return { boxes, rare: rare || undefined, weak: weak || undefined, level, strength, lookOf };
}
