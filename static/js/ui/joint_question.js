import { announce, button, el, freshId } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { drawing, numbers, togetherWords } from "./joint_words.js";
import { meeting } from "./meeting.js";
import { answers } from "./question.js";

/** One of several joint questions: answered here, drawn for with the others. */
export class JointQuestion {
  #draw;
  #index;
  #control;
  #form;
  #lead;
  #error = el("p", { id: freshId(), class: "field__error", role: "alert" });
  #choices = el("div", { class: "steps joint__choices" });
  #left = el("p", { class: "notice" });
  #clear = button(gettext("Clear my choice"), () => this.#clearAgain(), "button--quiet");
  #isDrawn = false;

  /**
   * @param {import("./joint_draw.js").JointDraw} draw
   * @param {Question} question
   * @param {number} index
   */
  constructor(draw, question, index) {
    this.#draw = draw;
    this.#index = index;
    this.question = question;
    this.devices = [draw.device];
    const [titleId, leadId] = [freshId(), freshId()];
    this.title = el("h2", { id: titleId, tabindex: "-1", class: "question__text", dir: "auto" }, question.text);
    const naming = { "aria-labelledby": titleId, "aria-describedby": `${leadId} ${this.#error.id}` };
    const onChange = () => this.#update();
    const arranged = draw.options.parts.arranged?.(question)?.control(question, draw.device, naming, onChange);
    this.#control = /** @type {Control<number> | undefined} */ (arranged) ?? answers(question, naming, onChange);
    this.#lead = el("div", { id: leadId }, ...this.#hints());
    this.#form = this.#controls();
    this.result = el("div", { class: "result" });
    // Where several questions stand on one screen, they have no other numbers.
    const place = draw.options.isShared?.(this.number) && this.#numbered(gettext("Question %(number)s"));
    const label = place && el("p", { class: "small quiet num" }, place);
    const body = [label, this.title, this.#lead, this.#form, this.#error, this.#choices, this.result];
    this.node = el("section", { class: "question question--joint", "aria-labelledby": titleId }, ...body);
  }

  get number() {
    return this.#draw.options.numbers[this.#index];
  }

  get choice() {
    return this.#control.choice();
  }

  get isInert() {
    return this.#form.inert;
  }

  sync() {
    this.#draw.sync();
  }

  /** @returns {string | null} why this question is not complete */
  problem() {
    const draw = this.#draw;
    if (this.#isDrawn) return null;
    if (draw.isTurning) return gettext("The device is still turning.");
    const isLast = this.#index === draw.blocks.length - 1;
    // On one screen with the others each question says it itself.
    const open = this.choice === null ? this : isLast && draw.options.goTo ? draw.open : undefined;
    if (!open) return isLast && !draw.open ? draw.options.words.missing : null;
    if (this.question.required) {
      const missing = open === this ? "" : open.#numbered(gettext("Question %(number)s has no answer yet."));
      return missing || gettext("Choose an answer before you go on.");
    }
    if (draw.left || !(draw.isBegun || draw.options.goTo)) return null;
    const text = gettext(
      "%(questions)s are sent together or not at all. Without an answer to question %(number)s nothing is sent for them.",
    );
    return interpolate(text, { questions: draw.name, number: open.number });
  }

  /**
   * Shows a problem, what can be done about it, and moves the focus there.
   * @param {string} problem
   */
  complain(problem) {
    const { open, isTurning } = this.#draw;
    this.#error.textContent = problem;
    const goal = this.choice === null ? this : open;
    if (isTurning || !goal) this.#draw.focus();
    else if (goal === this && this.question.required) this.#control.focus();
    else this.#offer(goal);
  }

  /** @param {JointQuestion} goal the question to answer */
  #offer(goal) {
    const answer = button(goal.#numbered(gettext("Answer question %(number)s")), () => this.#goTo(goal), "button--primary");
    const leave = !this.question.required && button(gettext("Send nothing for these questions"), () => this.#leaveOut());
    this.#choices.replaceChildren(...[answer, leave].filter(Boolean));
    answer.focus();
  }

  /** @param {JointQuestion} goal */
  #goTo(goal) {
    this.#withdraw();
    if (goal === this) this.#control.focus();
    else this.#draw.options.goTo?.(goal.number);
  }

  #leaveOut() {
    const draw = this.#draw;
    this.#withdraw();
    draw.leaveOut();
    this.title.focus();
    draw.goPast(this.number);
    announce(this.#left.textContent ?? "");
  }

  #withdraw() {
    this.#choices.replaceChildren();
    if (!this.#error.textContent) return;
    this.#error.textContent = "";
    this.#draw.options.onResolved?.();
  }

  /** Clears a choice that was not drawn. */
  forget() {
    if (this.#isDrawn) return;
    this.clear();
    this.#withdraw();
    this.#draw.update();
  }

  clear() {
    this.#control.clear();
  }

  hide() {
    this.#form.inert = true;
  }

  #clearAgain() {
    this.forget();
    this.#control.focus();
  }

  #update() {
    this.#withdraw();
    this.#draw.update();
  }

  #hints() {
    const { help } = this.question;
    return [
      help && el("p", { class: "quiet author-text", dir: "auto" }, help),
      el("p", { class: "nature nature--chance" }, gettext("Scrambled on your device before it is sent.")),
    ];
  }

  #controls() {
    const { device, options, name } = this.#draw;
    const { required, prefer_not: preferNot } = this.question;
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
      (options.goTo || this.#index === 0) &&
        meeting("joint", togetherWords(options.numbers), () => drawing(device), numbers(device)),
      options.parts.weak?.notice(this.question, [device]),
      this.#control.node,
      !required && el("p", { class: "small quiet" }, preferNot ? `${visible} ${hidden}` : visible),
      this.#clear,
    );
  }

  /** Shows what can be done now. */
  show() {
    this.node.dataset.state = "open";
    this.#clear.hidden = this.question.required || this.choice === null;
    this.#left.hidden = !this.#draw.left;
  }

  /** @param {...HTMLElement} nodes */
  addPanel(...nodes) {
    this.#choices.after(...nodes);
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
