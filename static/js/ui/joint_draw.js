import { button, el, prefersReducedMotion } from "../lib/dom.js";
import { formatList, gettext, interpolate } from "../lib/i18n.js";
import { chance, codeList, legend, letters, rangeName, who } from "./joint_words.js";
import { JointQuestion } from "./joint_question.js";
import { readResult, showDevice } from "./question.js";
import { envelope } from "./wheel.js";

/**
 * Questions that are answered one by one and drawn for at once. True answers are in the checked controls
 * until the spin, then in one variable until the draw, and then gone.
 */
export class JointDraw {
  /** @type {AbortController | null} */
  #stop = null;
  #disc;
  #panel;
  #words;
  #spin;

  /**
   * @param {AnyDevice} device
   * @param {Question[]} questions
   * @param {JointOptions} options
   */
  constructor(device, questions, options) {
    this.device = /** @type {Device} */ (device);
    this.questions = questions;
    this.options = options;
    this.name = rangeName(options.numbers);
    /** Whether somebody has chosen to send nothing for these questions. */
    this.left = false;
    this.#disc = chance(device);
    this.#spin = button(options.words.act, () => this.#draw(), "button--chance");
    const picture = el("div", { class: "device__picture" }, this.#disc.node);
    this.#panel = el("div", { class: "device", hidden: true }, picture, this.#spin);
    this.#words = this.#about();
    this.blocks = questions.map((question, i) => new JointQuestion(this, question, i));
    this.blocks[this.blocks.length - 1].addPanel(this.#words, this.#panel);
    this.sync();
  }

  /** @returns {JointQuestion | undefined} the first question without an answer */
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
    showDevice(this.#panel, this.#words, !this.open);
  }

  leaveOut() {
    this.blocks.forEach((block) => block.clear());
    this.left = true;
    this.update();
  }

  /** @param {number} number of a question that is left out with the others */
  goPast(number) {
    const { numbers, goTo, count = 0 } = this.options;
    const next = Math.min(numbers[numbers.length - 1] + 1, count);
    if (next > number) goTo?.(next);
  }

  #about() {
    const text = gettext("Chance now scrambles all answers at once.");
    const lead = el("p", { class: "joint__lead" }, text);
    const note = el("p", { class: "small quiet" }, this.options.words.once);
    return el("div", { class: "joint__about", hidden: true }, lead, ...legend(this.device), note);
  }

  /** @returns {Promise<unknown>} */
  async #draw() {
    // A second click skips the motion.
    if (this.#stop) return this.blocks[0].isInert && this.#stop.abort();
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
    const { result, node } = this.blocks[this.blocks.length - 1];
    readResult(node, result);
  }

  /** @param {number[]} codes */
  #showResult(codes) {
    const last = this.blocks.length - 1;
    const again = this.options.again?.() ?? null;
    this.#panel.remove();
    this.#words.remove();
    this.blocks.forEach((block, i) => block.finish(i < last ? this.#ownCode(codes, i, again) : this.#allCodes(codes, again)));
  }

  #together() {
    const text = gettext("%(questions)s are scrambled and sent together.");
    return el("p", {}, interpolate(text, { questions: this.name }));
  }

  /**
   * At a question before the last.
   * @param {number[]} codes
   * @param {number} i
   * @param {string | null} again what somebody reads who sent them before
   */
  #ownCode(codes, i, again) {
    const letter = letters(this.device, codes)[i];
    return [
      envelope(codes[i], letter),
      el(
        "div",
        {},
        el("p", { class: "result__code" }, this.#sentence(letter)),
        again ? el("p", {}, again) : this.#together(),
        !again && this.#assurance(),
      ),
    ];
  }

  /**
   * @param {number[]} codes
   * @param {string | null} again
   */
  #allCodes(codes, again) {
    const { numbers, parts } = this.options;
    const level = parts.weak?.levelOf([this.device]) ?? 0;
    const text = gettext("%(letter)s for question %(number)s");
    const all = letters(this.device, codes).map((letter, i) => interpolate(text, { letter, number: numbers[i] }));
    return [
      el(
        "div",
        {},
        el("p", { class: "result__code" }, this.#sentence(formatList(all))),
        codeList(this.device, this.questions, codes),
        again && el("p", {}, again),
        ...who(this.device, level),
        level > 0 && el("p", {}, parts.weak?.warning(level)),
        !again && this.#assurance(),
      ),
    ];
  }

  /** @param {string} code */
  #sentence(code) {
    return interpolate(gettext("This is what will be sent: %(letter)s."), { letter: code });
  }

  #assurance() {
    return el("p", { class: "small quiet" }, gettext("This page no longer holds your real answers."));
  }
}
