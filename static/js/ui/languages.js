import { el } from "../lib/dom.js";
import { texted } from "../lib/grouped.js";
import { gettext } from "../lib/i18n.js";
import { ParametersError } from "../rr/errors.js";
import { digestOf } from "../rr/wire.js";

/**
 * A survey in several languages. The page changes to another one in place: all of it is made anew, and what was chosen
 * is handed over in memory, so that no choice is in an address, a storage or a request.
 */

// What a translation may put other words into; surveys/parameters/types.py marks the same.
const TEXTS =
  /(?:^|\.)(?:title|name|introduction|consent|contact|host|law|retention|withdrawal|reason|text|help|unit|categories\.\d+)$/;
const FORM = ".languages";

/** @type {HandedOver | undefined} */
let handed;

/** @param {HandedOver} handedOver */
export const hold = (handedOver) => (handed = handedOver);

/** @returns {HandedOver | undefined} what the page in the language before hands over, once */
export function take() {
  const taken = handed;
  handed = undefined;
  return taken;
}

/**
 * A checked document with the texts of the language that the page is served in.
 * @param {SurveyParameters} parameters
 * @returns {Promise<SurveyParameters>} the same where it is served in its own
 * @throws {ParametersError}
 */
export async function translated(parameters) {
  const [served] = Object.entries(parameters.translations ?? {});
  if (!served) return parameters;
  const [language, { texts, digest }] = served;
  const covered = { document: parameters.digest, language, texts };
  if ((await digestOf(covered)) !== digest) throw new ParametersError("wrong_digest", `translations.${language}`);
  return Object.entries(texts).reduce((whole, [path, text]) => {
    if (!TEXTS.test(path) || typeof text !== "string") throw new ParametersError("bad_text", `translations.${language}`);
    return put(whole, path.split("."), text);
  }, parameters);
}

/**
 * @template Part
 * @param {Part} part
 * @param {string[]} path the keys that lead to a text, and in a list an id or a place
 * @param {string} text
 * @returns {Part} with this text
 */
function put(part, [key, ...rest], text) {
  const copy = /** @type {any} */ (Array.isArray(part) ? [...part] : { ...part });
  const at = Array.isArray(part) ? placeOf(part, key) : key;
  const there = Object.hasOwn(copy, at) ? copy[at] : undefined;
  if (typeof there !== (rest.length ? "object" : "string")) throw new ParametersError("bad_text", key);
  copy[at] = rest.length ? put(there, rest, text) : text;
  return copy;
}

/** @type {(list: any[], key: string) => string | number} */
function placeOf(list, key) {
  const place = list.findIndex((item) => item.id === key);
  return place < 0 ? key : place;
}

/**
 * Lets somebody change the language at any time, and gives back what they had chosen in another one.
 * @param {import("./flow.js").Flow} flow
 * @param {HandedOver} [handedOver]
 */
export function attend(flow, handedOver) {
  flow.parameters.questions.forEach(({ id }, i) => give(fieldsOf(flow.blocks[i].node), handedOver?.choices.get(id) ?? []));
  give(besides(flow), handedOver?.besides ?? []);
  const form = /** @type {HTMLFormElement} */ (document.querySelector(FORM));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { name, value } = /** @type {HTMLButtonElement} */ (event.submitter);
    change(flow, `?${name}=${value}`).catch(() => sayTrouble(form));
  });
  nameTexts();
}

/**
 * @param {import("./flow.js").Flow} flow
 * @param {string} href the page in the other language
 */
async function change(flow, href) {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const { digest } = JSON.parse(page.getElementById("parameters")?.textContent ?? "{}");
  if (digest !== flow.parameters.digest) throw new Error("another survey");
  const restart = await texted(/** @type {HTMLLinkElement} */ (page.querySelector('link[data-group="catalogue"]')));
  await Promise.all(flow.blocks.map(({ settled }) => settled));
  // From here on nothing waits, so that nothing is chosen in between.
  /** @type {HandedOver} */
  const handedOver = {
    at: flow.pager.at,
    stored: flow.session.stored,
    choices: choicesOf(flow),
    besides: besides(flow).map(entryOf),
    order: flow.options.order,
    memory: flow.options.parts.route?.memory(),
    own: flow.own?.memory?.(),
  };
  flow.pager.left = true;
  flow.blocks.forEach((block) => block.forget());
  show(page);
  const use = restart();
  use("ui/languages").hold(handedOver);
  use("pages/respond");
  /** @type {HTMLElement | null} */ (document.querySelector(`${FORM} [aria-current]`))?.focus();
}

/** @param {import("./flow.js").Flow} flow */
const choicesOf = ({ parameters, blocks }) => new Map(parameters.questions.map(({ id }, i) => [id, fieldsOf(blocks[i].node).map(entryOf)]));

/**
 * Puts another page into the place of this one.
 * @param {Document} page
 */
function show(page) {
  const { lang, dir } = page.documentElement;
  Object.assign(document.documentElement, { lang, dir });
  document.title = page.title;
  const links = "link[data-group]";
  document.querySelectorAll(links).forEach((link) => link.remove());
  page.querySelectorAll(links).forEach((link) => {
    // It is loaded when it is needed: what has run stays.
    link.removeAttribute("rel");
    document.head.append(link);
  });
  page.querySelectorAll("noscript").forEach((node) => node.remove());
  // What a script of its own runs stays, with other words.
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-stays]"))) {
    const other = page.getElementById(node.id);
    if (!other) continue;
    node.replaceChildren(...other.childNodes);
    Object.assign(node.dataset, other.dataset);
    other.replaceWith(node);
  }
  document.body.replaceChildren(...page.body.childNodes);
}

/** @type {(node: ParentNode) => HTMLInputElement[]} */
const fieldsOf = (node) => [.../** @type {NodeListOf<HTMLInputElement>} */ (node.querySelectorAll("form input, form select, form textarea"))];

/**
 * The fields that are no question's: what somebody types or ticks before and after all of them.
 * @param {import("./flow.js").Flow} flow
 * @returns {HTMLInputElement[]}
 */
function besides({ options, blocks, pages }) {
  // Pages that are not shown are in no document.
  const nodes = [options.host, ...pages.map(({ head }) => head)].filter((node) => node instanceof Element);
  const fields = new Set(nodes.flatMap((node) => [.../** @type {NodeListOf<HTMLInputElement>} */ (node.querySelectorAll("input, select, textarea"))]));
  return [...fields].filter((field) => !blocks.some(({ node }) => node.contains(field)));
}

/** @type {(field: HTMLInputElement) => Entry} */
const entryOf = ({ checked, value }) => ({ checked, value });

/** @type {(fields: HTMLInputElement[], entries: Entry[]) => void} */
function give(fields, entries) {
  if (fields.length !== entries.length) return;
  entries.forEach(({ checked, value }, i) => {
    const field = fields[i];
    if (field.checked === checked && field.value === value) return;
    Object.assign(field, { checked, value });
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  });
}

/** @param {HTMLFormElement} form */
function sayTrouble(form) {
  form.querySelector("p")?.remove();
  form.append(el("p", { role: "alert", class: "small" }, gettext("This language could not be loaded. Nothing that you chose is lost; try again.")));
}

// Where Candor has no words of its own in a language, the author's are in another one than the page.
function nameTexts() {
  const { texts } = document.getElementById("respond")?.dataset ?? {};
  if (!texts) return;
  const name = () => document.querySelectorAll('[dir="auto"]:not([lang])').forEach((node) => node.setAttribute("lang", texts));
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
  name();
}
