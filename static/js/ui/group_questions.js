import { announce, button, el, freshId, prefersReducedMotion } from "../lib/dom.js";
import { formatList, gettext, interpolate } from "../lib/i18n.js";
import { chance, codeList, legend, letters, outcomes, rangeName, togetherWords, who } from "./group_words.js";
import { answers } from "./question.js";
import { symbol } from "./wheel.js";

/**
 * Questions that are answered one by one and drawn for at once. True answers are in the checked controls
 * until the spin, then in one variable until the draw, and then gone.
 */
export class Group {
  /** @type {AbortController | null} */
  #stop = null;
  #disc;
  #panel;
  #spin;

  /**
   * @param {AnyDevice} device
   * @param {Question[]} questions
   * @param {GroupOptions} options
   */
  constructor(device, questions, options) {
    this.device = /** @type {Device} */ (device);
    this.questions = questions;
    this.options = options;
    this.name = rangeName(options.first, questions.length);
    /** Whether somebody has chosen to send nothing for these questions. */
    this.left = false;
    this.#disc = chance(device);
    this.#spin = button(options.words.act, () => this.#draw(), "button--chance");
    this.#panel = this.#build();
    this.blocks = questions.map((question, i) => new GroupedQuestion(this, question, i));
    this.blocks[this.blocks.length - 1].addPanel(this.#panel);
    this.sync();
  }

  /** @returns {GroupedQuestion | undefined} the first question without an answer */
  get open() {
    return this.blocks.find(({ choice }) => choice === null);
  }

  get isBegun() {
    return this.blocks.some(({ choice }) => choice !== null);
  }

  get isTurning() {
    return this.#stop !== null;
  }

  focus() {
    this.#spin.focus();
  }

  /** Shows the questions, or their codes once they are drawn. */
  sync() {
    if (this.#stop) return;
    const [codes] = this.options.session.reportsOf([this.device]) ?? [];
    if (codes) this.#showResult(/** @type {number[]} */ (codes));
    else this.update();
  }

  /** A choice was made or cleared. */
  update() {
    if (this.isBegun) this.left = false;
    this.blocks.forEach((block) => block.show());
    const appears = this.#panel.hidden && !this.open;
    this.#panel.hidden = this.open !== undefined;
    // Under a long list the device would cover the focus.
    if (appears) document.activeElement?.scrollIntoView({ block: "nearest" });
  }

  leaveOut() {
    this.blocks.forEach((block) => block.clear());
    this.left = true;
    this.update();
  }

  /** @param {number} number of a question that is left out with the others */
  goPast(number) {
    const { first, goTo, count } = this.options;
    const next = Math.min(first + this.questions.length, count ?? 0);
    if (next > number) goTo?.(next);
  }

  #build() {
    const { practice, words } = this.options;
    const text = gettext("Chance now scrambles all %(count)s answers at once.");
    const lead = el("p", { class: "group__lead" }, interpolate(text, { count: this.questions.length }));
    const picture = el("div", { class: "device__picture" }, this.#disc.node);
    const note = !practice && el("p", { class: "small quiet" }, words.once);
    const chances = el("div", {}, lead, ...legend(this.device), this.#spin, note);
    const panel = el("div", { class: "device group__device" }, picture, chances);
    panel.hidden = true;
    return panel;
  }

  /** @returns {Promise<unknown>} */
  async #draw() {
    // A second click skips the motion.
    if (this.#stop) return this.blocks[0].isHidden && this.#stop.abort();
    const takeTruths = this.#truthTaker();
    if (!takeTruths) return;
    const { session, onTrouble } = this.options;
    const stop = (this.#stop = new AbortController());
    try {
      const { codes, spot } = await session.draw([this.device], takeTruths);
      if (spot !== null) await this.#turn(spot, stop.signal);
      this.#stop = null;
      if (codes) this.#reveal(/** @type {number[]} */ (codes[0]));
      else onTrouble();
    } catch (error) {
      this.#stop = null;
      onTrouble(error);
    }
  }

  /**
   * Moves the truths out of the controls.
   * @returns {(() => number[][]) | null} gives them once
   */
  #truthTaker() {
    if (this.open) return null;
    let truths = this.blocks.map(({ choice }) => Number(choice));
    this.blocks.forEach((block) => block.clear());
    return () => {
      const taken = truths;
      truths = [];
      return [taken];
    };
  }

  /**
   * @param {number} spot
   * @param {AbortSignal} stop
   */
  async #turn(spot, stop) {
    this.blocks.forEach((block) => block.hide());
    if (prefersReducedMotion()) return;
    this.#spin.textContent = gettext("Skip");
    await this.#disc.spin(spot, stop);
  }

  /** @param {number[]} codes */
  #reveal(codes) {
    this.#showResult(codes);
    const { result } = this.blocks[this.blocks.length - 1];
    result.focus();
    announce(result.querySelector(".result__code")?.textContent ?? "");
  }

  /** @param {number[]} codes */
  #showResult(codes) {
    const last = this.blocks.length - 1;
    this.#panel.remove();
    this.blocks.forEach((block, i) => block.finish(i < last ? this.#ownCode(codes, i) : this.#allCodes(codes)));
  }

  /**
   * At a question before the last.
   * @param {number[]} codes
   * @param {number} i
   */
  #ownCode(codes, i) {
    const letter = letters(this.device, codes)[i];
    return [
      symbol(codes[i], letter, "symbol--large"),
      el(
        "div",
        {},
        el("p", { class: "result__code" }, this.#sentence(letter)),
        !this.options.practice && el("p", {}, interpolate(gettext("%(questions)s are scrambled and sent together."), { questions: this.name })),
        this.#assurance(),
      ),
    ];
  }

  /** @param {number[]} codes */
  #allCodes(codes) {
    const { first, parts, practice } = this.options;
    const level = parts.weak?.levelOf([this.device]) ?? 0;
    const text = practice ? "%(code)s" : gettext("%(code)s for question %(number)s");
    const all = letters(this.device, codes).map((code, i) => interpolate(text, { code, number: first + i }));
    return [
      el(
        "div",
        {},
        el("p", { class: "result__code" }, this.#sentence(formatList(all))),
        codeList(this.device, this.questions, codes),
        ...who(this.device, level),
        !practice && level > 0 && el("p", {}, parts.weak?.warning(level)),
        this.#assurance(),
      ),
    ];
  }

  /** @param {string} code */
  #sentence(code) {
    const text = this.options.practice
      ? gettext("This would be sent: %(code)s.")
      : gettext("This is what will be sent: %(code)s.");
    return interpolate(text, { code });
  }

  #assurance() {
    return !this.options.practice && el("p", { class: "small quiet" }, gettext("This page no longer holds your real answers."));
  }
}

/** One question of a group: answered here, drawn for with the others. */
class GroupedQuestion {
  #group;
  #index;
  #control;
  #form;
  #lead;
  #error = el("p", { id: freshId(), class: "field__error", role: "alert" });
  #choices = el("div", { class: "steps group__choices" });
  #left = el("p", { class: "notice" });
  #clear = button(gettext("Clear my choice"), () => this.#clearAgain(), "button--quiet");
  #isDrawn = false;

  /**
   * @param {Group} group
   * @param {Question} question
   * @param {number} index
   */
  constructor(group, question, index) {
    this.#group = group;
    this.#index = index;
    this.question = question;
    this.devices = [group.device];
    const [titleId, leadId] = [freshId(), freshId()];
    const { practice, goTo } = group.options;
    this.title = el(practice ? "h3" : "h2", { id: titleId, tabindex: "-1", class: "question__text" }, question.text);
    const naming = { "aria-labelledby": titleId, "aria-describedby": `${leadId} ${this.#error.id}` };
    this.#control = answers(question, naming, () => this.#update());
    this.#lead = el("div", { id: leadId }, ...this.#hints());
    this.#form = this.#controls();
    this.result = el("div", { class: "result" });
    // Where all questions stand on one screen, they have no other numbers.
    const label = !practice && !goTo && el("p", { class: "small quiet num" }, this.#numbered(gettext("Question %(number)s")));
    const look = question.categories.length > 8 ? "question question--long" : "question";
    const body = [label, this.title, this.#lead, this.#form, this.#error, this.#choices, this.result];
    this.node = el("section", { class: `${look} question--grouped`, "aria-labelledby": titleId }, ...body);
  }

  get number() {
    return this.#group.options.first + this.#index;
  }

  get choice() {
    return this.#control.choice();
  }

  get isHidden() {
    return this.#form.hidden;
  }

  sync() {
    this.#group.sync();
  }

  /** @returns {string | null} why this question is not complete */
  problem() {
    const group = this.#group;
    if (this.#isDrawn) return null;
    if (group.isTurning) return gettext("The device is still turning.");
    const isLast = this.#index === group.blocks.length - 1;
    // On one screen with the others each question says it itself.
    const open = this.choice === null ? this : isLast && group.options.goTo ? group.open : undefined;
    if (!open) return isLast && !group.open ? group.options.words.missing : null;
    if (this.question.required) {
      return open === this ? gettext("Choose an answer before you go on.") : open.#numbered(gettext("Question %(number)s has no answer yet."));
    }
    if (group.left || !(group.isBegun || group.options.goTo)) return null;
    const text = gettext(
      "%(questions)s are sent together or not at all. Without an answer to question %(number)s nothing is sent for them.",
    );
    return interpolate(text, { questions: group.name, number: open.number });
  }

  /**
   * Shows a problem, what can be done about it, and moves the focus there.
   * @param {string} problem
   */
  complain(problem) {
    const { open, isTurning } = this.#group;
    this.#error.textContent = problem;
    const goal = this.choice === null ? this : open;
    if (isTurning || !goal) this.#group.focus();
    else if (goal === this && this.question.required) this.#control.focus();
    else this.#offer(goal);
  }

  /** @param {GroupedQuestion} goal the question to answer */
  #offer(goal) {
    const answer = button(goal.#numbered(gettext("Answer question %(number)s")), () => this.#goTo(goal), "button--primary");
    const leave = !this.question.required && button(gettext("Send nothing for these questions"), () => this.#leaveOut());
    this.#choices.replaceChildren(...[answer, leave].filter(Boolean));
    answer.focus();
  }

  /** @param {GroupedQuestion} goal */
  #goTo(goal) {
    this.#withdraw();
    if (goal === this) this.#control.focus();
    else this.#group.options.goTo?.(goal.number);
  }

  #leaveOut() {
    const group = this.#group;
    this.#withdraw();
    group.leaveOut();
    this.title.focus();
    group.goPast(this.number);
    announce(this.#left.textContent ?? "");
  }

  #withdraw() {
    this.#choices.replaceChildren();
    if (!this.#error.textContent) return;
    this.#error.textContent = "";
    this.#group.options.onResolved?.();
  }

  /** Clears a choice that was not drawn. */
  forget() {
    if (this.#isDrawn) return;
    this.clear();
    this.#withdraw();
    this.#group.update();
  }

  clear() {
    this.#control.clear();
  }

  hide() {
    this.#form.hidden = true;
  }

  #clearAgain() {
    this.forget();
    this.#control.focus();
  }

  #update() {
    this.#withdraw();
    this.#group.update();
  }

  #hints() {
    const { first, practice } = this.#group.options;
    const { help } = this.question;
    if (practice) return [];
    return [
      help && el("p", { class: "quiet author-text" }, help),
      el("p", { class: "nature nature--chance" }, gettext("Scrambled on your device before it is sent.")),
      el("p", {}, togetherWords(first, this.#group.questions.length)),
    ];
  }

  #controls() {
    const { device, options, name } = this.#group;
    const { required, prefer_not: preferNot } = this.question;
    const explain = !options.practice;
    const visible = gettext("You can leave these questions out, all of them or none; we see that you did.");
    const hidden = gettext("“Prefer not to say” is scrambled like every answer; nobody sees that.");
    this.#left.append(
      interpolate(gettext("%(questions)s are left out, and nothing is sent for them. To take part in them, answer all."), { questions: name }),
    );
    return el(
      "form",
      { autocomplete: "off", onsubmit: (event) => event.preventDefault() },
      this.#left,
      // On one screen once is enough.
      explain && (options.goTo || this.#index === 0) && outcomes(device, this.#index === 0),
      explain && options.parts.weak?.notice(this.question, [device]),
      this.#control.node,
      explain && !required && el("p", { class: "small quiet" }, preferNot ? `${visible} ${hidden}` : visible),
      this.#clear,
    );
  }

  /** Shows what can be done now. */
  show() {
    this.node.dataset.state = "open";
    this.#clear.hidden = this.question.required || this.choice === null;
    this.#left.hidden = !this.#group.left;
  }

  /** @param {HTMLElement} panel */
  addPanel(panel) {
    this.#choices.after(panel);
  }

  /** @param {Child[]} result */
  finish(result) {
    if (this.#isDrawn) return;
    this.#isDrawn = true;
    // No trace of the choice stays.
    this.clear();
    this.#form.remove();
    this.#lead.remove();
    this.#withdraw();
    this.result.tabIndex = -1;
    this.result.replaceChildren(...result.filter(Boolean));
    this.node.dataset.state = "drawn";
  }

  /** @param {string} text */
  #numbered(text) {
    return interpolate(text, { number: this.number });
  }
}
