import { button, el, freshId } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { answerCount, inapplicable } from "../../rr/wire.js";
import { readResult, showDevice } from "../../ui/question.js";
import { radios } from "../../ui/radios.js";
import { OneDevice, OwnDevices } from "./ways.js";

// With more answers a table has no room for them beside an item.
const MOST_COLUMNS = 7;

/**
 * The items of a battery. True answers are in the checked controls until the press, then in one variable until the
 * draw, and then gone.
 */
export class Table {
  #text;
  #questions;
  #options;
  #ids = [freshId(), freshId()];
  #nodes;
  #hooks;
  #way;
  /** @type {Asking} */
  #asking = "asked";
  #isDrawing = false;
  // Whether somebody was told that what has no answer would be left out.
  #isTold = false;
  settled = Promise.resolve();

  /**
   * @param {string} text above the items
   * @param {Question[]} questions
   * @param {BatteryOptions} options
   */
  constructor(text, questions, options) {
    this.#text = text;
    this.#questions = questions;
    this.#options = options;
    this.items = questions.map((question, place) => new Item(this, question, options.devices(question)[0], place, this.#ids[1]));
    // What is said of whom the first item is for is said of all.
    this.#hooks = questions.map((question, place) => options.follow(place ? question : { ...question, text }));
    const joint = this.items[0].devices[0].questions.length > 1 ? options.parts.joint?.() : undefined;
    this.#way = joint ? new OneDevice(this.items, options, joint) : new OwnDevices(this.items, options);
    this.#nodes = this.#build();
    this.node = this.#nodes.node;
    this.title = this.#nodes.title;
    this.node.dataset.state = "open";
    this.sync();
  }

  get count() {
    return this.#questions.length;
  }

  get isOpen() {
    return this.node.dataset.state === "open";
  }

  get isDrawing() {
    return this.#isDrawing;
  }

  get #isRandomized() {
    return this.#questions[0].randomized;
  }

  /** @returns {string} what is missing once answers are chosen */
  get missing() {
    return this.#isRandomized && this.#isBegun ? this.#way.words.missing : "";
  }

  /** Whether an item has to be answered now. @param {Item} item */
  needs({ question: { required } }) {
    return required || (this.#way.isWhole && this.#isBegun);
  }

  get #isBegun() {
    return this.items.some(({ choice }) => choice !== null);
  }

  focus() {
    this.#nodes.spin.focus();
  }

  /** Shows the items, or their reports once they are drawn. */
  sync() {
    if (this.#isDrawing) return;
    this.#way.recall();
    if (this.#isRandomized && this.items.some((item) => this.#way.reportOf(item) !== undefined)) this.#showResult();
    else this.ask(this.#asking);
  }

  /** @param {Asking} how */
  ask(how) {
    this.#asking = how;
    if (this.node.dataset.state === "drawn" || this.#isDrawing) return;
    const isPassed = how === "passed";
    this.items.forEach((item) => item.offer(how));
    if (isPassed) this.forget();
    this.#nodes.lead.hidden = this.#nodes.form.hidden = isPassed;
    this.node.dataset.state = isPassed ? "passed" : "open";
    this.#hooks[0]?.onAsked?.(this.#nodes, isPassed);
  }

  /** Draws the reports that no item applies. */
  async pass() {
    if (this.node.dataset.state === "drawn") return true;
    return this.#draw(this.items, this.items.map(({ question }) => Number(inapplicable(question))));
  }

  /** Clears choices that were not drawn. */
  forget() {
    if (this.node.dataset.state === "drawn" || this.#isDrawing) return;
    this.items.forEach((item) => item.clear());
    this.update();
  }

  /** A choice was made or cleared. */
  update() {
    const { session, onResolved } = this.#options;
    const isBegun = this.#isBegun;
    const isComplete = this.items.every(({ choice }) => choice !== null);
    const { clear, device, words, note } = this.#nodes;
    this.#isTold = false;
    onResolved();
    note.textContent = "";
    // It lies over the items once they are answered.
    device.classList.toggle("battery__waiting", !isComplete);
    clear.hidden = this.#questions[0].required || !isBegun;
    if (this.#isRandomized) return showDevice(device, words, isComplete || (isBegun && !this.needs(this.items[0])));
    this.items.forEach(({ choice, devices }, i) => {
      session.setDirect(devices, choice === null ? null : [choice]);
      this.#hooks[i]?.onAnswer?.(choice === null ? null : { categories: [choice] });
    });
  }

  /** @returns {Promise<unknown>} */
  async #press() {
    if (this.#isDrawing) return;
    const chosen = this.items.filter(({ choice }) => choice !== null);
    const left = this.items.find(({ choice }) => choice === null);
    if (left && !this.#isTold) {
      this.#isTold = true;
      const words = gettext("%(count)s of %(all)s have an answer. Press again to leave out the others, or answer them first.");
      this.#nodes.note.textContent = interpolate(words, { count: chosen.length, all: this.count });
      return;
    }
    const truths = chosen.map(({ choice }) => Number(choice));
    chosen.forEach(({ place }, i) => this.#hooks[place]?.onAnswer?.({ categories: [truths[i]] }));
    chosen.forEach((item) => item.clear());
    const pressed = this.#draw(chosen, truths.splice(0));
    this.settled = pressed.then(() => {});
    if (await pressed) readResult(this.node, this.#nodes.result);
  }

  /**
   * @param {Item[]} items
   * @param {number[]} truths of them, which are forgotten
   * @returns {Promise<boolean>} whether there are reports
   */
  async #draw(items, truths) {
    const { onTrouble } = this.#options;
    this.#isDrawing = this.#nodes.form.inert = true;
    try {
      const isDrawn = await this.#way.draw(items, truths);
      this.#isDrawing = false;
      if (isDrawn) this.#showResult();
      else onTrouble();
      return isDrawn;
    } catch (error) {
      this.#isDrawing = false;
      onTrouble(error);
      return false;
    }
  }

  #build() {
    const [titleId, leadId] = this.#ids;
    const parts = {
      title: el("h2", { id: titleId, tabindex: "-1", class: "question__text", dir: "auto" }, this.#text),
      lead: el("div", { id: leadId }, this.#natureLine(), this.#options.parts.picking?.notice?.(this.#questions[0])),
      note: el("p", { class: "battery__note", role: "alert" }),
      clear: button(gettext("Clear all my choices"), () => this.#clear(), "button--quiet"),
      spin: button(this.#way.words.act, () => this.#press(), "button--chance"),
      words: el("p", { class: "small quiet", hidden: true }, this.#way.once),
      result: el("div", { class: "result" }),
    };
    const device = el("div", { class: "device", hidden: true }, parts.note, parts.spin);
    const form = this.#form(parts.clear, parts.words);
    const body = [parts.title, parts.lead, form, device, parts.result];
    const node = el("section", { class: "question battery", "aria-labelledby": titleId }, ...body);
    return { ...parts, device, form, node };
  }

  #natureLine() {
    if (this.#isRandomized) {
      return el("p", { class: "nature nature--chance" }, gettext("Scrambled on your device before it is sent."));
    }
    const tag = el("span", { class: "tag tag--known" }, gettext("Not scrambled"));
    return el("p", { class: "nature nature--known" }, tag, " ", gettext("These are sent as they are."));
  }

  /**
   * @param {HTMLElement} clear
   * @param {HTMLElement} words about the device, once there are answers
   */
  #form(clear, words) {
    const { parts } = this.#options;
    const [first] = this.#questions;
    const { devices } = this.items[0];
    const reasons = this.items.filter(({ question }, i) => this.items.findIndex((other) => other.question.reason === question.reason) === i);
    clear.hidden = true;
    return el(
      "form",
      { autocomplete: "off", onsubmit: (event) => event.preventDefault() },
      ...(this.#isRandomized ? this.#way.lead() : []),
      ...(this.#isRandomized ? reasons.map(({ question }) => parts.weak?.notice(question, devices)) : []),
      this.#table(),
      !first.required && this.#optionalNote(),
      clear,
      this.#isRandomized && words,
    );
  }

  #table() {
    const { categories } = this.#questions[0];
    const labels = el("div", { class: "battery__labels", "aria-hidden": "true" }, ...categories.map((label) => el("span", { dir: "auto" }, label)));
    const heads = [
      el("th", { scope: "col", role: "columnheader" }, el("span", { class: "visually-hidden" }, gettext("Item"))),
      el("th", { scope: "col", role: "columnheader" }, el("span", { class: "visually-hidden" }, gettext("Answers")), labels),
    ];
    const look = categories.length > MOST_COLUMNS ? "battery__table" : "battery__table battery__table--wide";
    return el(
      "table",
      { class: look, role: "table", "aria-labelledby": this.#ids[0] },
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...heads)),
      el("tbody", { role: "rowgroup" }, ...this.items.map(({ row }) => row)),
    );
  }

  #optionalNote() {
    const visible = this.#way.isWhole
      ? gettext("You can leave these questions out, all of them or none; we see that you did.")
      : gettext("You can leave any of them out; we see that you did.");
    const hidden = gettext("“Prefer not to say” is scrambled like every answer; nobody sees that.");
    const { prefer_not: preferNot } = this.#questions[0];
    return el("p", { class: "small quiet" }, this.#isRandomized && preferNot ? `${visible} ${hidden}` : visible);
  }

  #clear() {
    this.forget();
    this.items[0].focus();
  }

  #showResult() {
    if (this.node.dataset.state === "drawn") return;
    const { form, device, result, lead } = this.#nodes;
    this.#hooks[0]?.onAsked?.(this.#nodes, false);
    // No trace of the choices stays.
    for (const node of [form, lead, device]) node.remove();
    result.tabIndex = -1;
    result.replaceChildren(el("div", {}, ...this.#explanation()));
    this.node.dataset.state = "drawn";
  }

  /** @returns {Child[]} */
  #explanation() {
    const { sent, told } = this.#way.result();
    const assurance = this.#hooks.find((hooks) => hooks?.assurance)?.assurance;
    return [
      el("p", { class: "result__code" }, interpolate(gettext("This is what will be sent: %(letter)s."), { letter: sent })),
      ...told,
      el("p", { class: "small quiet" }, assurance ?? gettext("This page no longer holds your real answers.")),
    ];
  }
}

/** One item: a question of the flow, with the node of its battery. @implements {Block} */
export class Item {
  #table;
  #control;
  #error = el("p", { id: freshId(), class: "field__error", role: "alert" });
  // Where what is said of an earlier wave would stand.
  recalled = { picture: el("div"), once: el("p") };

  /**
   * @param {Table} table
   * @param {Question} question
   * @param {Device} device
   * @param {number} place among the items
   * @param {string} leadId
   */
  constructor(table, question, device, place, leadId) {
    this.#table = table;
    this.question = question;
    this.devices = [device];
    this.place = place;
    el("div", {}, this.recalled.once);
    const [textId, helpId] = [freshId(), freshId()];
    const naming = { "aria-labelledby": textId, "aria-describedby": `${leadId} ${helpId} ${this.#error.id}` };
    this.#control = radios(question.categories, naming, () => this.#update(), "options battery__answers", answerCount(question));
    const number = interpolate(gettext("Item %(number)s of %(count)s"), { number: place + 1, count: table.count });
    const head = [
      el("span", { class: "battery__place small quiet num" }, number),
      el("span", { id: textId, class: "battery__item", dir: "auto" }, question.text),
      el("span", { id: helpId, class: "small quiet author-text", dir: "auto" }, question.help),
    ];
    this.row = el(
      "tr",
      { role: "row" },
      el("th", { scope: "row", role: "rowheader" }, ...head),
      el("td", { role: "cell" }, this.#control.node, this.#error),
    );
  }

  get node() {
    return this.#table.node;
  }

  get title() {
    return this.#table.title;
  }

  get settled() {
    return this.#table.settled;
  }

  get choice() {
    return this.#control.choice();
  }

  sync() {
    this.#table.sync();
  }

  /** @param {Asking} how */
  ask(how) {
    this.#table.ask(how);
  }

  pass() {
    return this.#table.pass();
  }

  forget() {
    this.#table.forget();
  }

  clear() {
    this.#control.clear();
    this.#error.textContent = "";
  }

  focus() {
    this.#control.focus();
  }

  /** @param {Asking} how */
  offer(how) {
    const other = inapplicable(this.question);
    if (other === null) return;
    this.#control.offer?.(other, how === "offered");
    if (how === "asked" && this.choice === other) this.clear();
  }

  /** @returns {string | null} why this item is not complete */
  problem() {
    const table = this.#table;
    if (!table.isOpen) return null;
    if (table.isDrawing) return gettext("The device is still turning.");
    if (this.choice === null && table.needs(this)) return gettext("Choose an answer before you go on.");
    return this.place === table.count - 1 ? table.missing || null : null;
  }

  /** @param {string} problem */
  complain(problem) {
    const isOpen = this.choice === null && this.#table.needs(this);
    this.#error.textContent = problem;
    if (isOpen) this.focus();
    else this.#table.focus();
  }

  #update() {
    this.#error.textContent = "";
    this.#table.update();
  }
}
