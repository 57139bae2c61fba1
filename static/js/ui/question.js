import { announce, button, el, freshId, stillness } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { outcomes, whoSends } from "./frequencies.js";
import { radios } from "./radios.js";
import { landed, wheel } from "./wheel.js";

/**
 * One question with its device. The true answer lives in the checked radio until the spin, then in
 * one variable until the draw, and after that nowhere.
 */
export class QuestionBlock {
  #question;
  #device;
  #session;
  #onTrouble;
  #radios;
  #parts;
  #disc = null;
  #stop = null;

  /**
   * @param {{question: import("../rr/wire.js").Question, device: import("../rr/device.js").Device,
   *   session: import("../lib/session.js").Session, onTrouble: (error?: unknown) => void,
   *   heading?: string, practice?: boolean}} setup trouble without an error: it is sent already
   */
  constructor({ question, device, session, onTrouble, heading = "h2", practice = false }) {
    Object.assign(this, { id: question.id, practice });
    this.#question = question;
    this.#device = device;
    this.#session = session;
    this.#onTrouble = onTrouble;
    this.#parts = this.#build(heading);
    this.node = this.#parts.node;
    this.title = this.#parts.title;
    this.sync();
  }

  /** Shows what is known: the question while it is open, the report once it is drawn. */
  sync() {
    if (this.#stop) return;
    const code = this.#question.randomized ? this.#session.reportOf(this.id) : undefined;
    if (code !== undefined) this.#showResult(code);
    else this.node.dataset.state = "open";
  }

  /** What keeps this question from being complete, or null. */
  problem() {
    if (this.node.dataset.state === "drawn") return null;
    if (this.#stop) return gettext("The device is still turning.");
    const chosen = this.#radios.choice() !== null;
    if (chosen && !this.#question.randomized) return null;
    if (chosen) return gettext("Spin before you go on.");
    if (!this.#question.required) return null;
    return gettext("Choose an answer before you go on.");
  }

  /** Says what is missing and goes there. */
  complain(problem) {
    this.#parts.error.textContent = problem;
    if (this.#radios.choice() === null) this.#radios.focus();
    else this.#parts.spin.focus();
  }

  /** Drops a choice that was not drawn: for a page that is left, or a question left out. */
  forget() {
    if (this.node.dataset.state === "drawn") return;
    this.#radios.clear();
    this.#session.setDirect(this.id, undefined);
    this.#chosen();
  }

  #build(heading) {
    const { text, help, categories } = this.#question;
    const [titleId, helpId, errorId] = [freshId(), freshId(), freshId()];
    const naming = { "aria-labelledby": titleId, "aria-describedby": `${helpId} ${errorId}` };
    this.#radios = radios(categories, naming, () => this.#chosen());
    const parts = {
      title: el(heading, { id: titleId, tabindex: "-1", class: "question__text" }, text),
      lead: el("div", { id: helpId }, help && el("p", { class: "quiet" }, help), this.#nature()),
      error: el("p", { id: errorId, class: "field__error", role: "alert" }),
      clear: button(gettext("Clear my choice"), () => this.#clear(), "button--quiet"),
      spin: button(gettext("Spin"), () => this.#spin(), "button--chance"),
      place: el("div", { class: "device__place" }),
      result: el("div", { class: "result" }),
    };
    parts.device = this.#devicePanel(parts);
    parts.form = this.#form(parts);
    const body = [parts.title, parts.lead, parts.form, parts.error, parts.device, parts.result];
    // Under a long list the device stays in sight.
    const look = categories.length > 8 ? "question question--long" : "question";
    parts.node = el("section", { class: look, "aria-labelledby": titleId }, ...body);
    return parts;
  }

  #form({ clear }) {
    const { randomized, required, categories } = this.#question;
    const preview = randomized && !this.practice && outcomes(this.#device, categories);
    clear.hidden = true;
    return el(
      "form",
      { autocomplete: "off", onsubmit: (event) => event.preventDefault() },
      preview,
      this.#radios.node,
      !required && this.#freedom(),
      clear,
    );
  }

  #nature() {
    if (this.practice) return null;
    return this.#question.randomized
      ? el("p", { class: "nature nature--chance" }, gettext("Scrambled before it leaves."))
      : el("p", { class: "nature nature--known" }, gettext("This one is sent as it is."));
  }

  #freedom() {
    const { randomized, prefer_not: preferNot } = this.#question;
    const seen = gettext("You can leave this question out; we see that you did.");
    const hidden = gettext("“Prefer not to say” is scrambled like every answer; nobody sees that.");
    const text = randomized && preferNot ? `${seen} ${hidden}` : seen;
    return el("p", { class: "small quiet" }, text);
  }

  #devicePanel({ place, spin }) {
    const reason = gettext("You spin once. Spinning again and again would wear your protection down.");
    const note = !this.practice && el("p", { class: "small quiet" }, reason);
    const panel = el("div", { class: "device" }, place, el("div", {}, spin, note));
    panel.hidden = true;
    return panel;
  }

  #chosen() {
    const choice = this.#radios.choice();
    const { error, clear, device, place } = this.#parts;
    error.textContent = "";
    clear.hidden = this.#question.required || choice === null;
    if (!this.#question.randomized) this.#session.setDirect(this.id, choice ?? undefined);
    else {
      device.hidden = choice === null;
      const { columns, denominator, reports } = this.#device;
      this.#disc = choice === null ? null : wheel(columns[choice], denominator, reports);
      place.replaceChildren(...(this.#disc ? [this.#disc.node] : []));
    }
  }

  #clear() {
    this.forget();
    this.#radios.focus();
  }

  async #spin() {
    // A second click skips the motion, once there is one.
    if (this.#stop) return this.#parts.form.hidden && this.#stop.abort();
    const take = this.#takeTruth();
    if (!take) return;
    this.#stop = new AbortController();
    try {
      const { code, spot } = await this.#session.draw(this.#device, take);
      if (spot !== null) await this.#turn(spot);
      this.#stop = null;
      if (code === undefined) this.#onTrouble();
      else this.#reveal(code);
    } catch (error) {
      this.#stop = null;
      this.#onTrouble(error);
    }
  }

  // Out of the controls, into one variable that empties as it is read.
  #takeTruth() {
    let truth = this.#radios.choice();
    if (truth === null) return null;
    this.#radios.clear();
    return () => {
      const answer = truth;
      truth = null;
      return answer;
    };
  }

  async #turn(spot) {
    const { form, spin } = this.#parts;
    form.hidden = true;
    if (stillness()) return;
    spin.textContent = gettext("Skip");
    await this.#disc.spin(spot, this.#stop.signal);
  }

  #reveal(code) {
    this.#showResult(code);
    this.#parts.result.focus();
    announce(this.#parts.result.querySelector(".result__code").textContent);
  }

  #showResult(code) {
    if (this.node.dataset.state === "drawn") return;
    const { form, device, result, error, lead } = this.#parts;
    const { reports } = this.#device;
    // The options go, and with them every trace of which of them was chosen.
    form.remove();
    lead.remove();
    error.textContent = "";
    device.remove();
    this.#disc = null;
    result.tabIndex = -1;
    result.replaceChildren(landed(code, reports[code]), el("div", {}, ...this.#verdict(code)));
    this.node.dataset.state = "drawn";
  }

  #verdict(code) {
    const told = this.practice
      ? gettext("This would be sent: %(code)s.")
      : gettext("This is what will be sent: %(code)s.");
    const { categories } = this.#question;
    const gone = gettext("Your real answer is gone from this page.");
    return [
      el("p", { class: "result__code" }, interpolate(told, { code: this.#device.reports[code] })),
      el("p", {}, whoSends(this.#device, categories, code)),
      !this.practice && el("p", { class: "small quiet" }, gone),
    ];
  }
}
