import { button, el, freshId } from "../lib/dom.js";
import { GROUP, formatExact, formatTyped } from "../lib/exact_numbers.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { binOf, millionths, stepsOf, valueAt } from "../rr/scale.js";
import { answerCount } from "../rr/wire.js";

const MILLION = 1e6;
// "1,234" is a thousand and more where commas group digits; elsewhere it is a little above 1.
const GROUPED = new RegExp(`^-?\\d{1,3}(\\${GROUP || " "}\\d{3})+(?!\\d)`);
const NUMBER = /^-?(\d{1,9})(?:[.,](\d{1,12}))?$/;
let pressed = false;
for (const type of ["pointerdown", "pointerup", "pointercancel"]) {
  addEventListener(type, () => (pressed = type === "pointerdown"), true);
}
/** @type {Record<string, number>} */
const ARROWS = { ArrowUp: 1, ArrowRight: 1, PageUp: 1, ArrowDown: -1, ArrowLeft: -1, PageDown: -1 };

/**
 * The number at a step with its unit: "7.5 hours".
 * @param {Scale} scale
 * @param {number} step
 */
export const labelAt = (scale, step) => withUnit(scale, formatExact(valueAt(scale, step) / MILLION));

/** @type {(scale: Scale, text: string) => string} */
const withUnit = ({ unit }, text) => `${text} ${unit}`.trim();

/**
 * Digits of any script as 0 to 9: those of a script follow one another, from its 0 on.
 * @param {string} text
 */
function plainDigits(text) {
  const isDigit = (/** @type {number} */ code) => /^\p{Nd}$/u.test(String.fromCodePoint(code));
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (isDigit(code - before - 1)) before += 1;
    return String(before % 10);
  });
}

/**
 * What was typed, with the digits and signs of numbers here and without groups.
 * @param {string} text
 */
function plainTyped(text) {
  // Full-width and Arabic signs too.
  const plain = plainDigits(text.replace(/[\s٬\u061c\u200e\u200f]/g, "")).replace(/[−－﹣]/, "-").replace(/[．٫]/, ".").replace("，", ",");
  return GROUPED.test(plain) ? plain.replaceAll(GROUP, "") : plain;
}

/**
 * The number that was typed, in millionths; null if it is none.
 * @param {string} text
 */
function millionthsTyped(text) {
  const digits = plainTyped(text);
  if (!NUMBER.test(digits)) return null;
  const decimal = digits.replace(",", ".");
  const [, part = ""] = decimal.split(".");
  return part.length > 6 ? Number(decimal) * MILLION : millionths(decimal);
}

/** @type {MakeControl} */
export const control = (question, _device, naming, onChange) => number(question, naming, onChange);

/**
 * A field and a slider for one number, which always agree, without name. What is no number of the
 * scale is no choice; the nearest one is offered. The slider has no place until it is touched.
 * @param {Question} question
 * @param {Naming} naming
 * @param {() => void} onChange
 * @returns {Control<number>}
 */
function number(question, naming, onChange) {
  const { scale: known, categories } = question;
  const others = categories.slice(answerCount(question));
  const scale = /** @type {Scale} */ (known);
  const steps = stepsOf(scale);
  /** @type {number | null} */
  let step = null;
  const { node, field, slider, hint, bin, boxes } = build(scale, steps, others, naming);
  /** @param {HTMLInputElement} [but] */
  const untick = (but) => boxes.forEach((box) => (box.checked = box === but));

  /** @param {number | null} next */
  const move = (next) => {
    step = next;
    const label = next === null ? "" : labelAt(scale, next);
    slider.value = String(next ?? Math.floor(steps / 2));
    slider.classList.toggle("number__slider--untouched", next === null);
    slider.setAttribute("aria-valuetext", label || gettext("no number yet"));
    hint.replaceChildren();
    bin.textContent = next === null || !scale.bins.length ? "" : counted(categories[binOf(scale, next)]);
    if (next !== null) untick();
  };
  /** @param {number} next */
  const pick = (next) => {
    field.value = formatTyped(valueAt(scale, next) / MILLION);
    move(next);
    onChange();
  };
  const clear = () => {
    field.value = "";
    untick();
    move(null);
  };
  const trouble = () => (field.value.trim() && step === null ? troubleWith(field.value, scale, steps) : null);
  /** @param {KeyboardEvent} event */
  const onKey = (event) => {
    const next = keyed(event, step, steps, event.currentTarget === slider);
    if (next === null) return;
    event.preventDefault();
    pick(next);
  };

  const offer = () => {
    const found = trouble();
    if (found) hint.replaceChildren(...offers(found, scale, pick));
  };
  field.addEventListener("input", () => {
    move(stepTyped(field.value, scale, steps));
    if (field.value.trim()) untick();
    if (!isBeginning(field.value, scale, steps)) offer();
    onChange();
  });
  field.addEventListener("change", () => {
    // Before the click is over nothing may move what is clicked on.
    if (pressed) addEventListener("click", offer, { once: true });
    else offer();
  });
  slider.addEventListener("input", () => pick(Number(slider.value)));
  // A click on the middle does not change the value that it has before it is touched.
  slider.addEventListener("click", () => step === null && pick(Number(slider.value)));
  field.addEventListener("keydown", onKey);
  slider.addEventListener("keydown", onKey);
  boxes.forEach((box) =>
    box.addEventListener("change", () => {
      untick(box.checked ? box : undefined);
      field.value = "";
      move(null);
      onChange();
    }),
  );
  clear();
  const choice = () => {
    const other = boxes.findIndex((box) => box.checked);
    if (other >= 0) return categories.length - boxes.length + other;
    return step === null || !scale.bins.length ? step : binOf(scale, step);
  };
  /** @type {Control<number>["offer"]} */
  const offerOther = (answer, isOffered) => {
    const box = boxes[answer - categories.length + boxes.length];
    box?.closest(".option")?.toggleAttribute("hidden", !isOffered);
  };
  return {
    node,
    choice,
    clear,
    offer: offerOther,
    number: () => (step === null ? undefined : valueAt(scale, step)),
    focus: () => field.focus(),
    problem: () => trouble()?.text ?? "",
  };
}

/**
 * @param {Scale} scale
 * @param {number} steps
 * @param {string[]} others labels of what is no number
 * @param {Naming} naming
 */
function build(scale, steps, others, naming) {
  const [rangeId, unitId, hintId] = [freshId(), freshId(), freshId()];
  const range = interpolate(gettext("From %(lower)s to %(upper)s, in steps of %(step)s."), {
    lower: formatExact(valueAt(scale, 0) / MILLION),
    upper: labelAt(scale, steps),
    step: formatExact(millionths(scale.step) / MILLION),
  });
  const field = el("input", {
    type: "text",
    id: freshId(),
    class: "number__field",
    // Some keypads for decimals have no minus sign.
    inputmode: scale.lower.startsWith("-") ? "text" : "decimal",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 24,
    "aria-labelledby": `${naming["aria-labelledby"]} ${unitId}`,
    "aria-describedby": `${rangeId} ${hintId}`,
  });
  const slider = el("input", {
    type: "range",
    class: "number__slider",
    min: 0,
    max: steps,
    step: 1,
    autocomplete: "off",
    "aria-label": gettext("Slider for the same number"),
    "aria-describedby": rangeId,
  });
  const invitation = el("span", { class: "number__invitation small", "aria-hidden": "true" }, gettext("Tap or drag here"));
  const hint = el("div", { id: hintId, class: "number__hint", role: "status" });
  const bin = el("p", { class: "small quiet number__bin", role: "status" });
  const boxes = others.map(() => el("input", { type: "checkbox", id: freshId(), autocomplete: "off" }));
  const rows = boxes.map((box, i) => el("label", { class: "option", for: box.id }, box, el("span", {}, others[i])));
  const ends = [labelAt(scale, 0), labelAt(scale, steps)].map((label) => el("span", {}, label));
  const node = el(
    "div",
    { role: "group", class: "number", ...naming },
    el("p", { class: "small quiet", id: rangeId }, range),
    el("div", { class: "number__row" }, field, el("span", { id: unitId }, scale.unit)),
    el("div", { class: "number__groove" }, slider, invitation),
    el("div", { class: "number__ends small quiet", "aria-hidden": "true" }, ...ends),
    hint,
    bin,
    ...rows,
  );
  return { node, field, slider, hint, bin, boxes };
}

/** @param {string} bin */
const counted = (bin) => interpolate(gettext("Counts as “%(bin)s”."), { bin });

/**
 * @param {string} text
 * @param {Scale} scale
 * @param {number} steps
 * @returns {number | null} null for what is no number of the scale
 */
function stepTyped(text, scale, steps) {
  const value = millionthsTyped(text);
  if (value === null) return null;
  const step = (value - valueAt(scale, 0)) / millionths(scale.step);
  return Number.isInteger(step) && step >= 0 && step <= steps ? step : null;
}

/**
 * Whether more digits can make a number of the scale of what was typed so far.
 * @param {string} text
 * @param {Scale} scale
 * @param {number} steps
 */
function isBeginning(text, scale, steps) {
  const typed = /^(-?)(\d{0,9})(?:([.,])(\d*))?$/.exec(plainTyped(text));
  if (!typed) return false;
  const [, sign, whole, mark, part = ""] = typed;
  if (mark && mark === GROUP && part.length < 3) return true;
  const from = Math.round(Number(`${whole}.${part}0`) * MILLION);
  const step = millionths(scale.step);
  const least = sign ? -valueAt(scale, steps) : valueAt(scale, 0);
  // All numbers that begin so: a tenth, a hundredth and so on, or ten times, a hundred times as many.
  const factors = mark ? [10 ** -part.length] : Array.from({ length: 10 }, (_, more) => 10 ** more);
  return factors.some((factor) => {
    const start = mark ? from : from * factor;
    const first = Math.max(Math.ceil((start - least) / step), 0);
    return first <= steps && least + first * step < start + factor * MILLION;
  });
}

/**
 * The fault of the text, and the nearest numbers that can be given: two where both are as near.
 * @param {string} text
 * @param {Scale} scale
 * @param {number} steps
 * @returns {{text: string, nearest: number[]}}
 */
function troubleWith(text, scale, steps) {
  const value = millionthsTyped(text);
  if (value === null) {
    return { text: interpolate(gettext("“%(text)s” is not a number."), { text }), nearest: [] };
  }
  const given = formatExact(value / MILLION);
  const place = (value - valueAt(scale, 0)) / millionths(scale.step);
  if (place < 0) {
    const lower = labelAt(scale, 0);
    const words = gettext("%(given)s is below the lowest number, %(lower)s.");
    return { text: interpolate(words, { given, lower }), nearest: [0] };
  }
  if (place > steps) {
    const upper = labelAt(scale, steps);
    const words = gettext("%(given)s is above the highest number, %(upper)s.");
    return { text: interpolate(words, { given, upper }), nearest: [steps] };
  }
  const step = formatExact(millionths(scale.step) / MILLION);
  const words = gettext("%(given)s is between two steps of %(step)s.");
  const [below, above] = [Math.floor(place), Math.ceil(place)];
  const near = place - below === above - place ? [below, above] : [Math.round(place)];
  return { text: interpolate(words, { given, step }), nearest: near };
}

/**
 * @param {{text: string, nearest: number[]}} found
 * @param {Scale} scale
 * @param {(step: number) => void} pick
 */
function offers({ text, nearest }, scale, pick) {
  const take = gettext("Take %(number)s");
  const buttons = nearest.map((step) =>
    button(interpolate(take, { number: labelAt(scale, step) }), () => pick(step), "button--quiet"),
  );
  return [el("p", {}, text), ...(buttons.length ? [el("div", { class: "cluster" }, ...buttons)] : [])];
}

/**
 * The step that a key leads to; the first one leads to an end of the range, not from a middle that
 * nobody has chosen. In the field only the arrows up and down are taken.
 * @param {KeyboardEvent} event
 * @param {number | null} step
 * @param {number} steps
 * @param {boolean} onSlider
 */
function keyed({ key, ctrlKey, altKey, metaKey }, step, steps, onSlider) {
  if (ctrlKey || altKey || metaKey) return null;
  if (onSlider && key === "Home") return 0;
  if (onSlider && key === "End") return steps;
  const vertical = key === "ArrowUp" || key === "ArrowDown";
  if (!Object.hasOwn(ARROWS, key) || !(onSlider || vertical)) return null;
  const direction = ARROWS[key];
  if (step === null) return direction > 0 ? 0 : steps;
  const stride = /^Page/.test(key) ? Math.max(1, Math.round(steps / 10)) : 1;
  return Math.min(Math.max(step + direction * stride, 0), steps);
}
