import { announce, button, el, freshId, prefersReducedMotion } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { answerCount, inapplicable, isSeveral } from "../rr/wire.js";
import { explained } from "./meeting.js";
import { radios } from "./radios.js";

/**
 * One question with its devices. The true answer is in the checked controls until the spin, then in
 * one variable until the draw, and then gone.
 */
export class QuestionBlock {
  #question;
  #parts;
  #look;
  #recall;
  #session;
  #onTrouble;
  #onResolved;
  #onAnswer;
  #onAsked;
  #assurance;
  /** @type {Asking} */
  #asking = "asked";
  // The ids of title, hints and error.
  #ids = [freshId(), freshId(), freshId()];
  #control;
  #nodes;
  /** @type {Disc | null} */
  #disc = null;
  /** @type {AbortController | null} */
  #stop = null;
  /** Settles once nothing turns. */
  settled = Promise.resolve();

  /** @param {BlockOptions} options */
  constructor({ question, devices, parts, session, onTrouble, onResolved, onAnswer, onAsked, assurance, recall, heading = "h2", practice }) {
    this.devices = devices;
    this.practice = practice;
    this.#question = question;
    this.#parts = parts;
    this.#look = parts.lookOf(devices[0]);
    this.#recall = recall;
    this.#session = session;
    this.#onTrouble = onTrouble;
    this.#onResolved = onResolved;
    this.#onAnswer = onAnswer;
    this.#onAsked = onAsked;
    this.#assurance = assurance;
    this.#control = this.#controls();
    this.#nodes = this.#build(heading);
    this.node = this.#nodes.node;
    this.title = this.#nodes.title;
    this.node.dataset.state = "open";
    this.sync();
  }

  /** Shows the question, or its report once it is drawn. */
  sync() {
    if (this.#stop) return;
    // The picture of a first draw is not true for somebody who has come back.
    if (this.#recall) this.#look = this.#recall(this.#question, this.devices, this.#nodes);
    const codes = this.#question.randomized && this.#session.reportsOf(this.devices);
    if (codes) this.#showResult(codes);
    else this.ask(this.#asking);
  }

  /** @returns {string | null} why this question is not complete */
  problem() {
    if (this.node.dataset.state !== "open") return null;
    if (this.#stop) return gettext("The device is still turning.");
    const problem = this.#control.problem?.();
    if (problem) return problem;
    const chosen = this.#control.choice() !== null;
    if (chosen && !this.#question.randomized) return null;
    if (chosen) return this.#look.words.missing;
    if (!this.#question.required) return null;
    return gettext("Choose an answer before you go on.");
  }

  /**
   * Shows a problem and moves the focus there.
   * @param {string} problem
   */
  complain(problem) {
    this.#nodes.error.textContent = problem;
    if (this.#control.choice() === null) this.#control.focus();
    else this.#nodes.spin.focus();
  }

  /**
   * Asks, with “does not apply” among the answers or without; or asks nothing.
   * @param {Asking} how
   */
  ask(how) {
    this.#asking = how;
    if (this.node.dataset.state === "drawn" || this.#stop) return;
    const isPassed = how === "passed";
    const { lead, form } = this.#nodes;
    const other = inapplicable(this.#question);
    if (other !== null) this.#control.offer?.(other, how === "offered");
    // What is no longer shown is not chosen.
    if (isPassed || (how === "asked" && other !== null && this.#control.choice() === other)) this.forget();
    lead.hidden = form.hidden = isPassed;
    this.node.dataset.state = isPassed ? "passed" : "open";
    this.#onAsked?.(this.#nodes, isPassed);
  }

  /**
   * Draws the report that the question does not apply.
   * @returns {Promise<boolean>} whether there is one
   */
  async pass() {
    try {
      const answer = Number(inapplicable(this.#question));
      const { codes } = await this.#session.draw(this.devices, () => [answer]);
      if (codes) this.#showResult(codes);
      else this.#onTrouble();
      return codes !== undefined;
    } catch (error) {
      this.#onTrouble(error);
      return false;
    }
  }

  #withdraw() {
    if (!this.#nodes.error.textContent) return;
    this.#nodes.error.textContent = "";
    this.#onResolved?.();
  }

  /** Clears a choice that was not drawn. */
  forget() {
    if (this.node.dataset.state === "drawn") return;
    this.#control.clear();
    this.#session.setDirect(this.devices);
    this.#update();
  }

  /** @param {"h2" | "h3"} heading */
  #build(heading) {
    const { text } = this.#question;
    const { boxes } = this.#parts;
    const each = this.devices.length > 1;
    const [titleId, helpId, errorId] = this.#ids;
    const parts = {
      title: el(heading, { id: titleId, tabindex: "-1", class: "question__text", dir: "auto" }, text),
      lead: el("div", { id: helpId }, ...this.#hints()),
      error: el("p", { id: errorId, class: "field__error", role: "alert" }),
      clear: button(gettext("Clear my choice"), () => this.#clear(), "button--quiet"),
      spin: button(this.#look.words.act, () => this.#spin(), "button--chance"),
      picture: el("div", { class: "device__picture" }, ...(each ? boxes().wheels(this.#question, this.devices[0]) : [])),
      once: el("p", { class: "small quiet" }, (each ? boxes() : this.#look).words.once),
      result: el("div", { class: "result" }),
    };
    const device = el("div", { class: "device", hidden: true }, parts.picture, parts.spin);
    const words = el("div", { hidden: true }, parts.once);
    const form = this.#form(parts.clear, words);
    const body = [parts.title, parts.lead, form, parts.error, device, parts.result];
    const node = el("section", { class: "question", "aria-labelledby": titleId }, ...body);
    return { ...parts, device, words, form, node };
  }

  /** @returns {AnyControl} */
  #controls() {
    const [titleId, ...hintIds] = this.#ids;
    const naming = { "aria-labelledby": titleId, "aria-describedby": hintIds.join(" ") };
    const onChange = () => this.#update();
    const { control } = this.#parts.controlOf(this.#question) ?? {};
    return control?.(this.#question, this.devices[0], naming, onChange) ?? answers(this.#question, naming, onChange);
  }

  /**
   * @param {HTMLElement} clear
   * @param {HTMLElement} words about the device, once there is an answer
   */
  #form(clear, words) {
    const { randomized, required } = this.#question;
    const explain = randomized && !this.practice;
    clear.hidden = true;
    return el(
      "form",
      { autocomplete: "off", onsubmit: (event) => event.preventDefault() },
      explain && explained(this.#question, this.devices, this.#parts),
      explain && this.#parts.rare?.identifyingReports(this.#question, this.devices[0]),
      explain && this.#parts.weak?.notice(this.#question, this.devices),
      this.#control.node,
      !required && this.#optionalNote(),
      clear,
      !this.practice && words,
    );
  }

  #hints() {
    const { help } = this.#question;
    const several = isSeveral(this.#question) && this.#parts.boxes().words.several;
    const hints = [
      help && el("p", { class: "quiet author-text", dir: "auto" }, help),
      several && el("p", { class: "quiet" }, several),
    ];
    return [...hints, this.#natureLine(), this.#parts.picking?.notice?.(this.#question)];
  }

  #natureLine() {
    if (this.practice) return null;
    if (this.#question.randomized) {
      return el("p", { class: "nature nature--chance" }, gettext("Scrambled on your device before it is sent."));
    }
    // The label on the first screen names this tag.
    const tag = el("span", { class: "tag tag--known" }, gettext("Not scrambled"));
    return el("p", { class: "nature nature--known" }, tag, " ", gettext("This one is sent as it is."));
  }

  #optionalNote() {
    const { randomized, prefer_not: preferNot } = this.#question;
    const visible = gettext("You can leave this question out; we see that you did.");
    const hidden = gettext("“Prefer not to say” is scrambled like every answer; nobody sees that.");
    const text = randomized && preferNot ? `${visible} ${hidden}` : visible;
    return el("p", { class: "small quiet" }, text);
  }

  // The truth of each device: the answer's index, a tick, a set as a sum of powers of two, a text, or names.
  #truths() {
    const choice = this.#control.choice();
    if (!Array.isArray(choice)) return choice === null ? null : [choice];
    if (this.devices.length > 1) return choice;
    return [choice.reduce((sum, tick, i) => sum + tick * 2 ** i, 0)];
  }

  /** @returns {RealAnswer | null} what is chosen of a list, or typed as a number */
  #realAnswer() {
    const choice = this.#control.choice();
    if (typeof choice === "number") return { categories: [choice], number: this.#control.number?.() };
    if (!Array.isArray(choice)) return null;
    return { categories: choice.flatMap((tick, i) => (tick ? [i] : [])) };
  }

  #update() {
    const truths = this.#truths();
    const { clear, device, words, picture } = this.#nodes;
    this.#withdraw();
    clear.hidden = this.#question.required || truths === null;
    if (!this.#question.randomized) this.#onAnswer?.(this.#realAnswer());
    if (!this.#question.randomized) return this.#session.setDirect(this.devices, /** @type {number[] | null} */ (truths));
    if (this.devices.length === 1) {
      this.#disc = truths && this.#look.chance(this.devices[0], truths[0]);
      picture.replaceChildren(...(this.#disc ? [this.#disc.node] : []));
    }
    showDevice(device, words, truths !== null);
  }

  #clear() {
    this.forget();
    this.#control.focus();
  }

  /** @returns {Promise<unknown>} */
  async #spin() {
    // A second click skips the motion.
    if (this.#stop) return this.#nodes.form.inert && this.#stop.abort();
    const takeTruths = this.#truthTaker();
    if (!takeTruths) return;
    const stop = (this.#stop = new AbortController());
    let settle = () => {};
    this.settled = new Promise((resolve) => (settle = resolve));
    try {
      const ready = (await this.#look.prepare?.(this.devices, /** @type {() => Typed[]} */ (takeTruths))) ?? takeTruths;
      const { codes, spot } = await this.#session.draw(this.devices, /** @type {() => Truth[]} */ (ready));
      if (spot !== null) await this.#turn(spot, stop.signal);
      this.#stop = null;
      if (codes) this.#reveal(codes);
      else this.#onTrouble();
    } catch (error) {
      this.#stop = null;
      this.#onTrouble(error);
    } finally {
      settle();
    }
  }

  /**
   * Moves the truths out of the controls.
   * @returns {(() => (number | Typed | Named)[]) | null} gives them once
   */
  #truthTaker() {
    let truths = this.#truths();
    if (truths === null) return null;
    this.#onAnswer?.(this.#realAnswer());
    this.#control.clear();
    return () => {
      const answer = truths;
      truths = null;
      return answer ?? [];
    };
  }

  /**
   * @param {number} spot
   * @param {AbortSignal} stop
   */
  async #turn(spot, stop) {
    const { form, spin } = this.#nodes;
    form.inert = true;
    if (prefersReducedMotion()) return;
    spin.textContent = gettext("Skip");
    await this.#disc?.spin(spot, stop);
  }

  /** @param {SentReport[]} codes */
  #reveal(codes) {
    this.#showResult(codes);
    readResult(this.node, this.#nodes.result);
  }

  /** @param {SentReport[]} reports */
  #showResult(reports) {
    if (this.node.dataset.state === "drawn") return;
    const { form, device, result, lead } = this.#nodes;
    this.#onAsked?.(this.#nodes, false);
    // No trace of the choice stays.
    form.remove();
    lead.remove();
    this.#withdraw();
    device.remove();
    this.#disc = null;
    result.tabIndex = -1;
    const versions = this.#look.versions?.(this.devices, reports);
    const codes = versions?.codes ?? reports;
    result.replaceChildren(this.#picture(codes), el("div", {}, ...this.#explanation(codes, versions)));
    this.node.dataset.state = "drawn";
  }

  /** @param {SentReport[]} codes */
  #picture(codes) {
    if (codes.length === 1) return this.#look.result(this.#question, this.devices[0], codes[0]);
    return this.#parts.boxes().codeList(this.#question, codes.map(Number), this.#letters(codes));
  }

  /** @param {SentReport[]} codes */
  #letters(codes) {
    return codes.map((code, i) => this.#look.letter?.(code) ?? this.devices[i].reports[Number(code)]);
  }

  /**
   * @param {SentReport[]} codes
   * @param {Versions} [versions]
   */
  #explanation(codes, versions) {
    const sentence = this.practice
      ? gettext("This would be sent: %(letter)s.")
      : gettext("This is what will be sent: %(letter)s.");
    const [device] = this.devices;
    // Of several devices all are told about, so that the text depends on no report.
    /** @type {Explained} */
    const who = codes.length > 1 ? { text: this.#look.lead(this.#question, device) } : this.#look.who(this.#question, device, codes[0]);
    const code = versions?.words ?? this.#look.nameOf(this.#letters(codes).join(" "));
    const assurance = this.#assurance ?? gettext("This page no longer holds your real answer.");
    return [
      el("p", { class: "result__code" }, interpolate(sentence, { letter: code })),
      versions?.list,
      versions?.note,
      !this.practice && el("p", {}, who.text),
      !this.practice && who.more,
      this.#look.again && el("p", {}, this.#look.again),
      !this.practice && this.#parts.weak && el("p", {}, this.#parts.weak.reportWarning(this.devices)),
      ...(this.practice ? this.practice() : [el("p", { class: "small quiet" }, assurance)]),
    ];
  }
}

/**
 * Shows the device at the lower edge, not over what has the focus.
 * @param {HTMLElement} device
 * @param {HTMLElement} words
 * @param {boolean} isShown
 */
export function showDevice(device, words, isShown) {
  const appears = device.hidden && isShown;
  device.hidden = words.hidden = !isShown;
  if (appears) document.activeElement?.scrollIntoView({ block: "nearest" });
}

/**
 * Moves the focus to a result, and to the beginning of its question where not all is in sight.
 * @param {Element} question
 * @param {HTMLElement} result
 */
export function readResult(question, result) {
  result.focus({ preventScroll: true });
  const isCut = question.getBoundingClientRect().top < 0 || result.getBoundingClientRect().bottom > innerHeight;
  if (isCut) question.scrollIntoView({ block: "start" });
  announce(result.querySelector(".result__code")?.textContent ?? "");
}

/**
 * Radio buttons for the answers of which one is true.
 * @param {Question} question
 * @param {Naming} naming
 * @param {() => void} onChange
 */
export function answers(question, naming, onChange) {
  const { control, categories } = question;
  const count = answerCount(question);
  const scale = `options scale scale--${count > 5 ? "long" : "short"}`;
  return radios(categories, naming, onChange, control === "scale" ? scale : undefined, count);
}
