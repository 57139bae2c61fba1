import { el, freshId } from "../lib/dom.js";
import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { UNSEEN } from "../lib/unseen.js";
import { drawCohort } from "../rr/bloom.js";
import { systemBytes } from "../rr/random.js";
import { normalizeText } from "../rr/text.js";

/**
 * A field for a short text, without name and value. Its cohort is drawn before anything is written.
 * @param {Question} question
 * @param {AnyDevice} device
 * @param {Naming} naming
 * @param {() => void} onChange
 * @returns {Control<Typed>}
 */
export function control(question, device, naming, onChange) {
  const most = Number(question.characters);
  const cohort = drawCohort(/** @type {BloomTable} */ (device.table), systemBytes);
  const { node, field, counter, hint, refuse } = build(question, naming);

  /** @returns {Typed | null} */
  const choice = () => {
    if (refuse?.checked) return { words: "", cohort };
    const words = normalizeText(field.value);
    return words && lengthOf(words) <= most ? { words, cohort } : null;
  };
  const problem = () => {
    if (choice()) return "";
    if (field.value) return troubleWith(field.value, most);
    return question.required ? gettext("Write an answer before you go on.") : "";
  };
  const show = () => {
    const count = lengthOf(normalizeText(field.value));
    counter.textContent = `${formatNumber(count)} / ${formatNumber(most)}`;
    hint.textContent = count > most ? troubleWith(field.value, most) : "";
    field.setAttribute("aria-invalid", String(count > most));
  };
  const clear = () => {
    field.value = "";
    if (refuse) refuse.checked = false;
    show();
  };
  field.addEventListener("input", () => {
    if (field.value && refuse) refuse.checked = false;
    show();
    onChange();
  });
  refuse?.addEventListener("change", () => {
    field.value = "";
    show();
    onChange();
  });
  clear();
  return { node, choice, clear, focus: () => field.focus(), problem };
}

/** @param {string} words */
const lengthOf = (words) => [...words].length;

/**
 * @param {string} typed
 * @param {number} most
 */
function troubleWith(typed, most) {
  const count = lengthOf(normalizeText(typed));
  if (count === 0) return gettext("Nothing can be seen of this text.");
  return interpolate(gettext("At most %(most)s characters; these are %(count)s."), { most, count });
}

/**
 * @param {Question} question
 * @param {Naming} naming
 */
function build({ characters, categories, prefer_not: refusal }, naming) {
  const [limitId, hintId] = [freshId(), freshId()];
  const limit = gettext("At most %(most)s characters. Capital letters and further spaces make no difference.");
  const field = el("input", {
    type: "text",
    id: freshId(),
    class: "text__field",
    dir: "auto",
    ...UNSEEN,
    "aria-labelledby": naming["aria-labelledby"],
    "aria-describedby": `${limitId} ${hintId}`,
  });
  const counter = el("span", { class: "text__count small quiet", "aria-hidden": "true" });
  const hint = el("p", { id: hintId, class: "text__hint", role: "status" });
  const refuse = refusal ? el("input", { type: "checkbox", id: freshId(), autocomplete: "off" }) : null;
  const row = refuse && el("label", { class: "option", for: refuse.id }, refuse, el("span", {}, ...categories));
  const node = el(
    "div",
    { role: "group", class: "text", ...naming },
    el("p", { class: "small quiet", id: limitId }, interpolate(limit, { most: Number(characters) })),
    el("div", { class: "text__row" }, field, counter),
    hint,
    row,
  );
  return { node, field, counter, hint, refuse };
}
