import { el, freshId } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { isDate } from "./rules.js";

// A date in two or three fields, in the order of the language. It is in memory only; what is drawn and sent is its bin.

const language = document.documentElement.lang || "en";
/** @type {Record<string, string[]>} */
const PARTS = { year: ["year"], month: ["year", "month"], day: ["year", "month", "day"] };
const MONTHS = Array.from({ length: 12 }, (_, month) => month);

/** @param {string} text a day, or a month by its first */
const dayOf = (text) => new Date(`${text.length === "1950-06".length ? `${text}-01` : text}T00:00:00Z`);

/**
 * @param {DateBins} bins
 * @param {string} text
 */
function spelled({ unit }, text) {
  if (unit === "year") return text;
  /** @type {Intl.DateTimeFormatOptions} */
  const options = { year: "numeric", month: "long", timeZone: "UTC", ...(unit === "day" && { day: "numeric" }) };
  return new Intl.DateTimeFormat(language, options).format(dayOf(text));
}

/**
 * The control of a question that asks for a date; nothing for any other, and for that of the practice.
 * @param {Question} question
 * @param {SurveyParameters} parameters
 */
export function controls(question, parameters) {
  if (!parameters.questions.includes(question)) return undefined;
  const bins = /** @type {WithDates} */ (parameters).date_parts.find(({ question: name }) => name === question.id);
  if (!bins) return undefined;
  return { control: (/** @type {Question} */ asked, /** @type {unknown} */ _device, /** @type {Naming} */ naming, /** @type {() => void} */ onChange) => dateFields(asked, bins, naming, onChange) };
}

/**
 * @param {Question} question
 * @param {DateBins} bins
 * @param {Naming} naming
 * @param {() => void} onChange
 * @returns {Control<number>}
 */
function dateFields({ categories, prefer_not: refusal }, bins, naming, onChange) {
  const { unit, starts, last } = bins;
  const [rangeId, hintId] = [freshId(), freshId()];
  /** @type {Record<string, HTMLInputElement | HTMLSelectElement>} */
  const fields = {};
  const rows = inOrder(PARTS[unit]).map((part) => {
    const field = (fields[part] = part === "month" ? months() : typed(part));
    field.setAttribute("aria-describedby", `${rangeId} ${hintId}`);
    const names = { year: gettext("Year"), month: gettext("Month"), day: gettext("Day") };
    return el("div", { class: `date__part date__part--${part}` }, el("label", { for: field.id }, names[/** @type {keyof typeof names} */ (part)]), field);
  });
  const range = interpolate(gettext("From %(first)s to %(last)s."), { first: spelled(bins, starts[0]), last: spelled(bins, last) });
  const told = el("p", { id: hintId, class: "small quiet date__bin", role: "status" });
  const refuse = refusal ? el("input", { type: "checkbox", id: freshId(), autocomplete: "off" }) : null;
  const row = refuse && el("label", { class: "option", for: refuse.id }, refuse, el("span", {}, categories[categories.length - 1]));
  const node = el(
    "div",
    { role: "group", class: "options date", ...naming },
    el("p", { class: "small quiet", id: rangeId }, range),
    el("div", { class: "date__row" }, ...rows),
    told,
    row,
  );

  const values = () => PARTS[unit].map((part) => fields[part].value.trim());
  const isEmpty = () => values().every((value) => !value);
  const written = () => values().map((value, i) => value.padStart(i ? 2 : 4, "0")).join("-");
  /** @returns {number | null} the bin of the date, where there is one */
  const bin = () => {
    if (values().some((value) => !value) || !isDate(unit, written())) return null;
    if (written() < starts[0] || written() > last) return null;
    return starts.filter((start) => start <= written()).length - 1;
  };
  const problem = () => {
    if (refuse?.checked || isEmpty() || bin() !== null) return "";
    if (values().some((value) => !value)) return gettext("Fill in all parts of the date.");
    return isDate(unit, written()) ? range : gettext("There is no such date.");
  };
  const show = () => {
    const found = bin();
    told.textContent = found === null ? "" : interpolate(gettext("Counts as “%(bin)s”."), { bin: categories[found] });
  };
  node.addEventListener("input", ({ target }) => {
    if (target !== refuse && refuse) refuse.checked = false;
    show();
    if (target !== refuse) onChange();
  });
  // While it is typed a date is not wrong yet.
  node.addEventListener("change", ({ target }) => {
    if (target === refuse || bin() !== null) return;
    if (values().every(Boolean)) told.textContent = problem();
  });
  refuse?.addEventListener("change", () => {
    empty();
    onChange();
  });
  const empty = () => {
    Object.values(fields).forEach((field) => (field.value = ""));
    show();
  };
  const clear = () => {
    empty();
    if (refuse) refuse.checked = false;
  };
  const choice = () => (refuse?.checked ? categories.length - 1 : bin());
  return { node, choice, clear, focus: () => /** @type {HTMLElement | null} */ (node.querySelector("input, select"))?.focus(), problem };
}

/**
 * The parts of a date in the order in which this language writes them.
 * @param {string[]} parts
 */
function inOrder(parts) {
  const written = new Intl.DateTimeFormat(language, { year: "numeric", month: "numeric", day: "numeric" }).formatToParts(0);
  return written.map(({ type }) => String(type)).filter((type) => parts.includes(type));
}

/** @param {string} part */
function typed(part) {
  const digits = part === "year" ? 4 : 2;
  return el("input", { type: "text", id: freshId(), class: "date__field", inputmode: "numeric", autocomplete: "off", spellcheck: "false", maxlength: digits });
}

function months() {
  const name = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
  const options = MONTHS.map((month) => el("option", { value: month + 1 }, name.format(new Date(Date.UTC(2001, month, 1)))));
  return el("select", { id: freshId(), class: "date__field", autocomplete: "off" }, el("option", { value: "" }, ""), ...options);
}
