import { el } from "../../lib/dom.js";
import { formatList, gettext } from "../../lib/i18n.js";
import { explained, meeting } from "../../ui/meeting.js";
import { symbol } from "../../ui/wheel.js";

// The two ways to draw for a battery, and what is said of each: a device for each item, or one for all.

/** @typedef {import("./table.js").Item} Item */

/** A device for each item, all alike. */
export class OwnDevices {
  #items;
  #options;
  /** @type {Look[]} */
  #looks;
  once = gettext("Once for all of them: chance treats each answer separately, and only once.");
  isWhole = false;

  /**
   * @param {Item[]} items
   * @param {BatteryOptions} options
   */
  constructor(items, options) {
    this.#items = items;
    this.#options = options;
    this.#looks = items.map(({ devices: [device] }) => options.parts.lookOf(device));
  }

  get words() {
    return this.#looks[0].words;
  }

  /** Looks at what was sent in an earlier wave. */
  recall() {
    const { recall, parts } = this.#options;
    this.#looks = this.#items.map(({ question, devices, recalled }) => recall?.(question, devices, recalled) ?? parts.lookOf(devices[0]));
  }

  /** What chance does, before anything is answered. */
  lead() {
    const [{ question, devices }] = this.#items;
    const { parts } = this.#options;
    return [explained(question, devices, parts), parts.rare?.identifyingReports(question, devices[0])];
  }

  /** @param {Item} item @returns {SentReport | undefined} */
  reportOf({ devices }) {
    return this.#options.session.reportsOf(devices)?.[0];
  }

  /**
   * @param {Item[]} items
   * @param {number[]} truths of them, which are forgotten
   */
  async draw(items, truths) {
    const { codes } = await this.#options.session.draw(items.flatMap(({ devices }) => devices), () => truths.splice(0));
    return codes !== undefined;
  }

  /** @returns {{ sent: string, told: Child[] }} what was drawn, in short and at length */
  result() {
    const { parts } = this.#options;
    const shown = this.#items.map((item) => this.#shown(item));
    const first = this.#items.findIndex((item) => this.reportOf(item) !== undefined);
    const { question, devices } = this.#items[first];
    const told = [
      el("ul", { class: "codes" }, ...shown.map(({ row }) => row)),
      shown[first].note,
      el("p", {}, this.#looks[first].lead(question, devices[0])),
      parts.weak && el("p", {}, parts.weak.reportWarning(devices)),
    ];
    return { sent: formatList(shown.flatMap(({ words }) => words ?? [])), told };
  }

  /** @param {Item} item */
  #shown(item) {
    const { question, devices: [device], place } = item;
    const [look, report] = [this.#looks[place], this.reportOf(item)];
    const versions = report === undefined ? undefined : look.versions?.([device], [report]);
    const words = report === undefined ? undefined : (versions?.words ?? look.nameOf(look.letter?.(report) ?? device.reports[Number(report)]));
    const picture = device.look === "codes" && typeof report === "number" && symbol(report, device.reports[report]);
    const again = look.again && el("span", { class: "small quiet" }, ` ${look.again}`);
    const name = el("span", { dir: "auto" }, question.text);
    const row = el("li", {}, picture, el("span", {}, name, " ", el("b", {}, words ?? gettext("left out")), again));
    return { words, row, note: versions?.note };
  }
}

/** One device for all items: all of them are answered, or nothing is sent. */
export class OneDevice {
  #items;
  #options;
  #device;
  #joint;
  isWhole = true;

  /**
   * @param {Item[]} items
   * @param {BatteryOptions} options
   * @param {typeof import("../../ui/joint_blocks.js")} joint
   */
  constructor(items, options, joint) {
    this.#items = items;
    this.#options = options;
    this.#joint = joint;
    [this.#device] = items[0].devices;
  }

  get words() {
    return this.#joint.look.words;
  }

  get once() {
    return this.words.once;
  }

  recall() {}

  lead() {
    const { drawing, numbers, togetherWords } = this.#joint;
    return [meeting("joint", togetherWords(this.#options.numbers), () => drawing(this.#device), numbers(this.#device))];
  }

  /** @param {Item} item @returns {SentReport | undefined} */
  reportOf({ place }) {
    return this.#codes?.[place];
  }

  get #codes() {
    return /** @type {number[] | undefined} */ (this.#options.session.reportsOf([this.#device])?.[0]);
  }

  /**
   * @param {Item[]} _items
   * @param {number[]} truths of all items, which are forgotten
   */
  async draw(_items, truths) {
    const { codes } = await this.#options.session.draw([this.#device], () => [truths.splice(0)]);
    return codes !== undefined;
  }

  result() {
    const { againWords, codeList, letters, who } = this.#joint;
    const { parts, session, numbers } = this.#options;
    const codes = this.#codes ?? [];
    const level = parts.weak?.levelOf([this.#device]) ?? 0;
    const again = againWords(session.stored.earlier, this.#device, numbers);
    const told = [
      codeList(this.#device, this.#items.map(({ question }) => question), codes),
      again && el("p", {}, again),
      ...who(this.#device, level),
      level > 0 && el("p", {}, parts.weak?.warning(level)),
    ];
    return { sent: formatList(letters(this.#device, codes)), told };
  }
}
