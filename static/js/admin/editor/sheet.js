/**
 * A form of a draft that saves itself: a moment after something was typed, and when a field is left.
 * Whatever cannot be saved stays in the page, and is tried again.
 */

import { el } from "../../lib/dom.js";
import { find, findAll, seek } from "../../lib/find.js";
import { showState } from "./state.js";

const TYPING_PAUSE_MS = 900;
const RETRY_MS = [2_000, 4_000, 8_000, 15_000, 30_000];

/** The sheets of the page, for those who must wait for all of them. @type {Set<Sheet>} */
const sheets = new Set();

/** Saves whatever is not saved yet; resolves once it is, or cannot be. */
export const saveAll = () => Promise.all([...sheets].map((sheet) => sheet.flush()));

/** @returns {boolean} whether something typed is not saved */
export const anyUnsaved = () => [...sheets].some((sheet) => sheet.isUnsaved);

/** Sends what is not saved yet while the page goes away. */
export const saveLeaving = () => sheets.forEach((sheet) => sheet.leave());

export class Sheet {
  #timer = 0;
  #failures = 0;
  /** @type {Promise<void> | null} */
  #running = null;
  #again = false;
  /** What the server has, as it was sent or shown. */
  #sent;
  /** Fields that somebody has left: only these show what is wrong with them. @type {Set<string>} */
  #left = new Set();
  /** What was wrong when it was saved last. @type {Record<string, string[]>} */
  #errors = {};

  /**
   * @param {HTMLFormElement} form
   * @param {(answer: SheetAnswer) => void} saved called after each save
   */
  constructor(form, saved) {
    this.form = form;
    this.saved = saved;
    // What is shown again after a sign-in is saved when it is touched, or sent.
    this.#sent = "kept" in form.dataset ? "" : asRendered(form);
    // What was in the way of it was mended elsewhere.
    if ("rightByNow" in form.dataset) this.#sent = "";
    for (const list of findAll(form, ".entry > .errorlist", HTMLElement)) this.#left.add(nameOf(list.parentElement));
    form.addEventListener("input", () => this.later(TYPING_PAUSE_MS));
    form.addEventListener("change", ({ target }) => {
      if (isField(target)) this.#left.add(target.name);
      // It was saved while somebody was still typing.
      if (!this.isUnsaved) this.showErrors(this.#errors);
      this.later(0);
    });
    form.addEventListener("submit", (event) => {
      if (event.submitter?.hasAttribute("formaction") || form.dataset.native) return;
      event.preventDefault();
      this.later(0);
    });
    sheets.add(this);
    // Somebody has typed before the script was there.
    if (!("kept" in form.dataset) && this.isUnsaved) this.later(TYPING_PAUSE_MS);
  }

  get isUnsaved() {
    return this.#running !== null || contents(this.form) !== this.#sent;
  }

  /** @param {number} pause */
  later(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), pause);
  }

  /** No field of it is saved any more. */
  close() {
    clearTimeout(this.#timer);
    sheets.delete(this);
  }

  async flush() {
    clearTimeout(this.#timer);
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    if (contents(this.form) === this.#sent) return;
    this.#running = this.#saveWhatComes();
    try {
      await this.#running;
    } finally {
      this.#running = null;
    }
  }

  /** Whoever waits for a save waits for what was typed during it, too. */
  async #saveWhatComes() {
    do {
      this.#again = false;
      await this.#save();
    } while (this.#again && contents(this.form) !== this.#sent);
  }

  /** Sends what is left while the page goes away, without waiting for an answer. */
  leave() {
    if (contents(this.form) === this.#sent) return;
    fetch(this.form.action, request(this.form, { keepalive: true })).catch(() => {});
  }

  async #save() {
    const sent = contents(this.form);
    const values = valuesOf(this.form);
    const away = new Set([...values.keys()].filter((name) => isPutAway(this.form, name)));
    showState("saving");
    let reply;
    try {
      reply = await fetch(this.form.action, request(this.form));
    } catch {
      this.#retry();
      return;
    }
    if (reply.redirected) {
      showState("out");
      return;
    }
    if (reply.status === 403 || reply.status === 404) {
      // Deleted, or open to others only: no further try would save it. The server keeps what an
      // account has typed that was let in before.
      showState("gone");
      return;
    }
    const isJson = reply.headers.get("Content-Type")?.startsWith("application/json");
    if (!isJson || reply.status >= 500 || reply.status === 429) {
      this.#retry();
      return;
    }
    this.#failures = 0;
    /** @type {SheetAnswer} */
    const answer = await reply.json();
    if (!reply.ok) {
      // The words say where what was typed is kept.
      this.#note([answer.message ?? ""]);
      showState("");
      this.#sent = sent;
      this.saved(answer);
      return;
    }
    this.#sent = sent;
    this.#take(answer, values, away);
    this.#note(answer.notes);
    this.#errors = answer.errors;
    this.showErrors(answer.errors);
    showState(anyTyped(answer) ? "unfinished" : "saved");
    this.saved(answer);
  }

  #retry() {
    const pause = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)];
    this.#failures += 1;
    showState("offline");
    this.later(pause);
  }

  /**
   * Shows what is stored now, but for fields that have been edited since they were sent.
   * @param {SheetAnswer} answer
   * @param {Map<string, string>} values as they were sent
   * @param {Set<string>} away the fields that were not for this kind of question then
   */
  #take({ seen, changed }, values, away) {
    const marks = find(this.form, "[name=seen]", HTMLInputElement);
    /** @type {Record<string, string>} */
    const known = JSON.parse(marks.value || "{}");
    const now = valuesOf(this.form);
    for (const name of Object.keys(known)) {
      const isEdited = (now.get(name) ?? "") !== (values.get(name) ?? "");
      // A field that another page has changed and this one edits meanwhile keeps its old mark.
      if (isEdited && changed[name]) continue;
      // What is typed for another kind of question is there again once the kind is.
      if (changed[name] && !isEdited && !away.has(name) && !isPutAway(this.form, name)) fill(this.form, name, changed[name]);
      known[name] = seen[name] ?? known[name];
    }
    const untouched = contents(this.form);
    marks.value = JSON.stringify(known);
    // Only what was taken over, and the marks, are other than what was sent.
    if (![...now].some(([name, value]) => value !== (values.get(name) ?? "") && name !== "seen")) this.#sent = untouched;
  }

  /** @param {string[]} notes */
  #note(notes) {
    const box = seek(this.form, "[data-notes]", HTMLElement);
    if (box && notes.length > 0) box.replaceChildren(...notes.map((text) => el("p", { class: "note note--warning" }, text)));
  }

  /**
   * Shows what is wrong beside the fields that somebody has left.
   * @param {Record<string, string[]>} errors
   */
  showErrors(errors) {
    for (const entry of findAll(this.form, ".entry", HTMLElement)) {
      const name = nameOf(entry);
      const messages = this.#left.has(name) ? (errors[name] ?? []) : [];
      const list = seek(entry, ".errorlist", HTMLElement);
      const text = messages.join("\n");
      if (text === (list?.dataset.text ?? "") && (text !== "" || !list)) continue;
      list?.remove();
      entry.classList.toggle("entry--bad", text !== "");
      const id = `id_${name}_error`;
      if (text) {
        const items = messages.map((message) => el("li", {}, message));
        entry.firstElementChild?.after(el("ul", { class: "errorlist", id, "data-text": text }, ...items));
      }
      const field = seek(entry, "input, select, textarea", HTMLElement);
      if (field) markWrong(field, id, text !== "");
    }
  }
}

/** @param {Element | null} entry @returns {string} the name of its field */
const nameOf = (entry) => [...(entry?.classList ?? [])].find((word) => /^entry-[^-]/.test(word))?.slice(6) ?? "";

/**
 * @param {HTMLElement} field
 * @param {string} id of the list that says what is wrong
 * @param {boolean} isWrong
 */
function markWrong(field, id, isWrong) {
  const said = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((each) => each && each !== id);
  if (isWrong) said.push(id);
  for (const [name, value] of [["aria-describedby", said.join(" ")], ["aria-invalid", isWrong ? "true" : ""]]) {
    if (value) field.setAttribute(name, value);
    else field.removeAttribute(name);
  }
}

/** @param {SheetAnswer} answer */
const anyTyped = ({ state }) => state === "unfinished";

/**
 * @param {HTMLFormElement} form
 * @param {RequestInit} [more]
 * @returns {RequestInit}
 */
const request = (form, more = {}) => ({
  method: "POST",
  headers: { Accept: "application/json" },
  body: new FormData(form),
  ...more,
});

/** @param {EventTarget | null} target @returns {target is HTMLInputElement} */
const isField = (target) =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;

/** @param {HTMLFormElement} form the texts of its fields, by name @returns {Map<string, string>} */
function valuesOf(form) {
  const values = new Map();
  for (const [name, value] of new FormData(form)) values.set(name, `${values.get(name) ?? ""}\0${value}`);
  for (const { name } of findAll(form, "[name]", HTMLInputElement)) if (!values.has(name)) values.set(name, "");
  return values;
}

/** @param {HTMLFormElement} form all that its author can change */
const contents = (form) => JSON.stringify([...new FormData(form)].filter(([name]) => name !== "seen" && name !== "csrfmiddlewaretoken"));

/**
 * Whether a field is for another kind of question, or a setting of another device.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
const isPutAway = (form, name) =>
  findAll(form, `[name="${CSS.escape(name)}"]`, HTMLElement).every((field) => {
    const device = name === "design" ? null : seek(field.closest("[data-design]") ?? field, "[name=design]", HTMLInputElement);
    return field.closest("[hidden]") !== null || device?.checked === false;
  });

/** @param {HTMLFormElement} form @returns {string} its contents as the server has sent them */
function asRendered(form) {
  const copy = /** @type {HTMLFormElement} */ (form.cloneNode(true));
  copy.reset();
  return contents(copy);
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string[]} texts
 */
function fill(form, name, texts) {
  for (const field of findAll(form, `[name="${CSS.escape(name)}"]`, HTMLElement)) {
    if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)) {
      field.checked = texts.includes(field.value);
    } else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      field.value = texts[0] ?? "";
    } else if (field instanceof HTMLSelectElement) {
      for (const option of field.options) option.selected = texts.includes(option.value);
    }
    field.dispatchEvent(new Event("filled", { bubbles: true }));
  }
}
