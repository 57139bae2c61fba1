import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { insist } from "../lib/late.js";
import { devicesOf } from "../rr/wire.js";
import { example, practice } from "./explain.js";
import { Pager, screen, storageText, waitingScreen } from "./pager.js";
import { QuestionBlock } from "./question.js";

/** The order of the screens, from the welcome to the receipt. */
export class Flow {
  /** @type {Block[]} the first of them alone until the parts of all are here */
  blocks = [];
  /** @type {Map<string, Block> | undefined} */
  #joint;
  /** @type {Map<number, () => PageScreen>} screens that wait for their parts, by their places */
  #awaited = new Map();
  /** @type {Promise<void> | null} */
  #gathering = null;
  #isWhole = () => {};
  /** @type {Promise<void>} settles once the parts of all screens are here */
  whole = new Promise((resolve) => (this.#isWhole = resolve));
  #sealed = false;
  /** @type {typeof import("./farewell.js") | null} */
  #closing = null;
  /** @type {Visit | undefined} */
  #visit;
  #first = 0;
  #back = () => this.pager.back();

  /**
   * @param {SurveyParameters} parameters
   * @param {import("../lib/session.js").Session} session
   * @param {FlowOptions} options
   */
  constructor(parameters, session, options) {
    this.parameters = parameters;
    this.session = session;
    this.options = options;
    this.own = options.parts.own;
    this.#build(options.parts.rest && !options.together ? 1 : parameters.questions.length);
    this.pager = new Pager(options.host, this.#placed(this.#screens()));
    session.watch(() => this.sync());
    // A page in the back/forward cache must not hold a choice, and may have missed another tab.
    addEventListener("pagehide", () => this.blocks.forEach((block) => block.forget()));
    addEventListener("pageshow", (event) => event.persisted && this.sync());
  }

  /** @param {number} [at] the screen that somebody has read in another language */
  open(at) {
    const { receipt, body, refused, reports } = this.session.stored;
    if (receipt || body || refused) this.sync();
    else if (at !== undefined) this.pager.open(at, true);
    else this.pager.open(Object.keys(reports).length > 0 ? this.resumeAt() : (this.#visit?.resumeAt() ?? 0));
  }

  next() {
    this.pager.next();
  }

  /** @param {number} index of a question */
  goTo(index) {
    this.pager.next(this.at(index));
  }

  /** @param {number} index */
  at(index) {
    return this.#first + (this.options.together ? 0 : index);
  }

  get complete() {
    if (!this.#complete(this.blocks)) return false;
    const isWhole = this.blocks.length === this.parameters.questions.length;
    if (!isWhole) this.goTo(this.blocks.length);
    return isWhole;
  }

  /**
   * Makes the blocks of the first questions.
   * @param {number} count
   */
  #build(count) {
    const { parts } = this.options;
    this.#joint ??= parts.joint?.()?.blocks(this);
    const questions = this.parameters.questions.slice(this.blocks.length, count);
    const blocks = questions.map((question) => this.#joint?.get(question.id) ?? this.#block(question));
    parts.below?.(blocks, { ...this.parameters, questions });
    this.blocks.push(...blocks);
  }

  /**
   * Puts a waiting screen in the place of each that is still to be made.
   * @param {(PageScreen | (() => PageScreen))[]} screens
   */
  #placed(screens) {
    return screens.map((made, at) => {
      if (typeof made !== "function") return made;
      if (!this.options.parts.rest) return made();
      this.#awaited.set(at, made);
      return this.#waiting();
    });
  }

  #waiting() {
    const { nudge, say, ...page } = waitingScreen(gettext("One moment"));
    const onShow = async () => {
      const failed = gettext("The next part of this page could not be loaded yet.");
      say(gettext("The next part of this page is on its way."), false);
      await insist(() => this.#gather(), () => say(`${failed} ${storageText(this.session.lasting)}`, true), nudge);
    };
    return { ...page, onShow };
  }

  // Loads what the waiting screens need as a question is shown, whatever is answered.
  async #gather() {
    this.#gathering ??= this.options.parts.rest?.() ?? Promise.resolve();
    await this.#gathering.finally(() => (this.#gathering = null));
    this.#build(this.parameters.questions.length);
    const awaited = [...this.#awaited];
    this.#awaited.clear();
    awaited.forEach(([at, make]) => this.pager.put(at, make()));
    this.#isWhole();
  }

  /** @param {Block[]} blocks */
  #complete(blocks) {
    const open = blocks.find((block) => block.problem());
    const problem = open?.problem();
    if (!open || !problem) return true;
    // Going back may have left a gap before this screen.
    if (!open.node.isConnected) this.goTo(this.blocks.indexOf(open));
    open.complain(problem);
    return false;
  }

  /** @param {Question} question */
  #block(question) {
    return new QuestionBlock({
      question,
      devices: devicesOf(this.parameters, question),
      parts: this.options.parts,
      session: this.session,
      recall: this.own?.recall?.(this.session, this.options.parts),
      onTrouble: (error) => this.trouble(error),
      onResolved: () => this.pager.warn(""),
    });
  }

  /** @param {unknown} error */
  trouble(error) {
    if (error === undefined) this.sync();
    else this.options.refuse(error);
  }

  #screens() {
    const [first, ...others] = this.parameters.questions.map((_, i) => () => this.#oneScreen(i));
    const questions = this.options.together ? [this.#allScreen()] : [first(), ...others];
    const lastScreen = this.own?.lastScreen;
    const last = lastScreen ? [() => lastScreen(this)] : [];
    this.#visit = this.own?.visit?.(this);
    const before = [this.options.welcome, ...(this.#visit?.screens ?? this.#practiceScreens())];
    this.#first = before.length;
    return [...before, ...questions, ...last];
  }

  #practiceScreens() {
    const card = this.practice();
    if (!card) return [];
    const title = el("h2", {}, gettext("Practice: nothing is sent"));
    const next = { name: gettext("Start"), go: () => this.next() };
    return [screen({ title, body: [card], next, back: this.#back })];
  }

  /** Practice on the simplest question; null where chance scrambles none. */
  practice() {
    const pair = example(this.parameters);
    return pair && practice(pair, this.parameters, this.options.parts, (error) => this.trouble(error));
  }

  /** @param {number} index */
  #oneScreen(index) {
    const block = this.blocks[index];
    const count = this.parameters.questions.length;
    const name = positionText(index, count);
    return this.#asking([block], index + 1 === count, block.title, { name, progress: progressLine(name, index, count) });
  }

  #allScreen() {
    return this.#asking(this.blocks, true, el("h2", {}, gettext("The questions")));
  }

  /**
   * @param {Block[]} blocks
   * @param {boolean} last
   * @param {HTMLElement} title
   * @param {{name?: string, progress?: HTMLElement}} [head]
   */
  #asking(blocks, last, title, head) {
    return screen({
      title,
      ...head,
      body: blocks.map(({ node }) => node),
      next: this.#forward(last, blocks),
      back: this.#back,
      onShow: () => {
        this.#visit?.atQuestion(blocks[0].node);
        // What fails is tried again where it is needed.
        this.#gather().catch(() => {});
        this.#prepare().catch(() => {});
      },
    });
  }

  /**
   * @param {boolean} last
   * @param {Block[]} blocks
   * @returns {Step}
   */
  #forward(last, blocks) {
    const sends = last && !this.own?.lastScreen;
    const name = sends ? gettext("Send") : gettext("Next");
    const go = () => {
      if (!this.#complete(blocks) || (last && !this.complete)) return this.pager.warn(gettext("Not complete"));
      if (sends) this.send();
      else this.pager.next();
    };
    return { name, go };
  }

  resumeAt() {
    const { questions } = this.parameters;
    const open = questions.findIndex((question) => !this.session.reportsOf(devicesOf(this.parameters, question)));
    return this.at(open < 0 ? questions.length - 1 : open);
  }

  sync() {
    if (this.#sealed) return;
    const { receipt, body, refused } = this.session.stored;
    if (receipt) this.#finishAnswered(receipt);
    else if (refused) this.#finish("", () => /** @type {OwnPart} */ (this.own).refusedScreen(refused));
    else if (body) this.send();
    else {
      this.#visit?.sync();
      this.blocks.forEach((block) => block.sync());
    }
  }

  // The server takes no response without a report.
  #sayEmpty() {
    const last = this.blocks[this.blocks.length - 1];
    if (!last.node.isConnected) this.goTo(this.blocks.length - 1);
    last.complain(gettext("You left out every question, so there is nothing to send. Close this page, or answer one."));
    this.pager.warn(gettext("Not complete"));
  }

  /** @param {string} receipt */
  #finishAnswered(receipt) {
    const name = gettext("You have answered this survey");
    this.#finish(name, ({ answeredScreen }) => answeredScreen(this.options, receipt));
  }

  async send() {
    if (this.#sealed) return;
    if (this.session.isEmpty) return this.#sayEmpty();
    this.#sealed = true;
    const body = await this.session.seal();
    const kept = this.own?.receiptParts?.(this.parameters, this.session.stored);
    if (this.options.preview) return this.#end(body, null, kept);
    /** @param {string} receipt */
    const onStored = async (receipt) => {
      await this.session.acknowledge(receipt);
      this.#end(body, receipt, kept);
    };
    this.#finish(gettext("Sending your answers"), ({ sendingScreen }) =>
      sendingScreen(this.options, body, this.session.lasting, onStored, this.own?.refusals(this.session)),
    );
  }

  /**
   * @param {string} body
   * @param {string | null} receipt
   * @param {Node[]} [kept]
   */
  #end(body, receipt, kept) {
    const { parts, strength, whole } = this.options;
    const survey = { parameters: this.parameters, whole, parts, strength, kept };
    this.#finish(gettext("End of the preview"), ({ sentScreen }) => sentScreen(survey, body, receipt));
  }

  // Loads the last screens as a question is shown, whatever is answered.
  async #prepare() {
    return (this.#closing ??= await import("./farewell.js"));
  }

  /**
   * @param {string} name
   * @param {(closing: typeof import("./farewell.js")) => PageScreen} build
   */
  async #finish(name, build) {
    this.#sealed = true;
    this.pager.finish(build(this.#closing ?? (await this.#wait(name))));
  }

  /** @param {string} name */
  async #wait(name) {
    const { nudge, say, ...page } = waitingScreen(name);
    this.pager.finish(page);
    const text = gettext("The end of this page could not be loaded yet.");
    return insist(() => this.#prepare(), () => say(`${text} ${storageText(this.session.lasting)}`, true), nudge);
  }
}

/** @type {(index: number, count: number) => string} */
const positionText = (index, count) =>
  interpolate(gettext("Question %(number)s of %(count)s"), { number: index + 1, count });

/** @type {(text: string, index: number, count: number) => HTMLElement} */
function progressLine(text, index, count) {
  const bar = el("progress", { value: index + 1, max: count, "aria-hidden": "true" });
  return el("div", { class: "progress" }, el("p", { class: "small quiet num" }, text), bar);
}
