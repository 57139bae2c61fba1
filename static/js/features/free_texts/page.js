import { el, freshId } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { UNSEEN } from "../../lib/unseen.js";

// A page after the last question. What is written is in its fields alone until the response is sealed.

/** @type {Map<string, HTMLTextAreaElement>} */
const fields = new Map();
addEventListener("pagehide", () => fields.forEach((field) => (field.value = "")));

/** @type {NonNullable<FeaturePart["lastPages"]>} */
export function lastPages(parameters) {
  const title = el("h2", {}, gettext("In your own words"));
  const warning = gettext(
    "What you write here is not scrambled: it is read as you wrote it. Do not write what tells who you or others are. It is kept apart from your other answers, and you can leave it empty.",
  );
  const asked = /** @type {WithFreeTexts} */ (parameters).free_texts.map(written);
  const form = el("form", { autocomplete: "off", onsubmit: (event) => event.preventDefault() }, ...asked);
  return [{ places: [], head: el("div", { class: "section" }, title, el("p", { class: "notice" }, warning), form), title, begins: true }];
}

/** @param {FreeText} asked */
function written({ id, text, characters }) {
  const [fieldId, hintId] = [freshId(), freshId()];
  const field = el("textarea", { id: fieldId, class: "text__field", dir: "auto", rows: 4, ...UNSEEN, maxlength: characters, "aria-describedby": hintId });
  fields.set(id, field);
  const hint = interpolate(gettext("At most %(most)s characters."), { most: characters });
  return el("div", { class: "text" }, el("label", { class: "author-text", dir: "auto", for: fieldId }, text), el("p", { class: "small quiet", id: hintId }, hint), el("div", { class: "text__row" }, field));
}

/**
 * What is sent of a text: no control characters but new lines, and no halves of signs.
 * @param {string} typed
 */
const cleaned = (typed) => typed.replace(/\r\n?/g, "\n").replace(/\p{Surrogate}/gu, "\uFFFD").replace(/(?!\n)\p{Cc}/gu, " ").trim();

/** @type {NonNullable<FeaturePart["beside"]>} */
export function beside(_stored, questions) {
  // Once, when all is sealed.
  if (questions) return {};
  const texts = [...fields].map(([id, { value }]) => [id, cleaned(value)]).filter(([, text]) => text);
  return { texts: Object.fromEntries(texts) };
}

/** @type {NonNullable<FeaturePart["rows"]>} */
export const rows = (parameters, { texts = {} }) =>
  /** @type {WithFreeTexts} */ (parameters).free_texts
    .filter(({ id }) => Object.hasOwn(texts, id))
    .map(({ id, text }) => [`texts.${id}`, texts[id], interpolate(gettext("In your own words, as you wrote it: %(question)s"), { question: text })]);
