import { button, el } from "../lib/dom.js";
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
  /** @type {AskedPage[]} as they would be one after the other */
  #parted;
  /** @type {AskedPage[]} */
  pages;
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
    this.#parted = options.parts.pages?.(parameters) ?? parameters.questions.map((_, i) => ({ places: [i] }));
    const places = parameters.questions.map((_, i) => i);
    this.pages = options.together ? [{ places, title: el("h2", {}, gettext("The questions")) }] : this.#parted;
    this.#build(options.parts.rest && !options.together ? 1 : parameters.questions.length);
    this.pager = new Pager(options.host, this.#placed(this.#screens()));
    session.watch(() => this.sync());
    // A page in the back/forward cache must not hold a choice, and may have missed another tab.
    addEventListener("pagehide", () => {
      this.blocks.forEach((block) => block.forget());
      this.#route?.forget();
    });
    addEventListener("pageshow", (event) => event.persisted && this.sync());
  }

  get #route() {
    return this.options.parts.route;
  }

  /** @param {number} index of a question */
  asking(index) {
    return this.#route?.stateOf(this.parameters.questions[index], this.session) ?? "asked";
  }

  /** @param {number} [at] the screen that somebody has read in another language */
  open(at) {
    const { receipt, body, refused, reports } = this.session.stored;
    if (receipt || body || refused) this.sync();
    else if (at !== undefined) this.pager.open(at, true);
    else this.pager.open(Object.keys(reports).length > 0 ? this.resumeAt() : (this.#visit?.resumeAt() ?? 0));
  }

  next() {
    // What the link has said may be enough.
    if (!this.#route?.stops?.(this)) this.pager.next();
  }

  /** @param {number} index of a question */
  goTo(index) {
    const block = this.blocks[index];
    if (block?.node.isConnected) block.title.focus();
    else this.pager.next(this.at(index));
  }

  /** @param {number} index */
  at(index) {
    return this.#first + this.pages.findIndex(({ places }) => places.includes(index));
  }

  /** @param {number} index @returns {number[]} the questions on the page of a question */
  beside(index) {
    return this.pages[this.at(index) - this.#first].places;
  }

  get complete() {
    if (!this.#complete(this.blocks.filter((_, i) => this.asking(i) !== "unasked"))) return false;
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
    const own = parts.blocks?.(this, questions);
    const blocks = questions.map((question) => own?.get(question.id) ?? this.#joint?.get(question.id) ?? this.#block(question));
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
      ...this.options.parts.follow?.(question),
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
    const questions = this.pages.map((page, i) => {
      const make = () => this.#pageScreen(page, i);
      return page.places.every((place) => place in this.blocks) ? make() : make;
    });
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

  /**
   * @param {AskedPage} page
   * @param {number} at its place among the pages
   */
  #pageScreen(page, at) {
    const { questions } = this.parameters;
    const count = questions.length;
    const blocks = page.places.map((place) => this.blocks[place]);
    const before = this.pages.slice(0, at).reduce((sum, { places }) => sum + places.length, 0);
    // Several questions may have one block for all.
    const [one] = (page.reads || blocks.length === 1) && !page.begins ? blocks : [];
    const name = blocks.length ? positionText(before, blocks.length, count) : undefined;
    const title = page.title ?? one?.title ?? el("h2", {}, name ?? gettext("Before you go on"));
    // The title may say it already.
    const said = title.textContent === name ? undefined : name;
    const isOnly = this.options.together;
    const body = isOnly ? this.#parted.flatMap((part) => this.#contents(part, part.begins)) : this.#contents(page, true);
    const next = button("", () => this.#forward(at), "button--primary");
    const label = () => (next.textContent = this.#sendsAfter(at) ? gettext("Send") : gettext("Next"));
    label();
    // Whether there is another question may follow from these answers.
    blocks.forEach(({ node }) => node.addEventListener("change", label));
    return screen({
      title,
      ...(isOnly ? {} : { name, progress: progressLine(said, before + blocks.length, count) }),
      body,
      next,
      back: this.#back,
      onShow: () => {
        blocks.forEach((block, i) => block.ask?.(this.asking(page.places[i])));
        this.#route?.show(page.reads ?? (page.places.length === 1 ? questions[page.places[0]] : null), page.places.length);
        label();
        if (blocks.length) this.#visit?.atQuestion(blocks[0].node);
        // What fails is tried again where it is needed.
        this.#gather().catch(() => {});
        this.#prepare().catch(() => {});
      },
    });
  }

  /**
   * @param {AskedPage} page
   * @param {boolean} [withHead]
   */
  #contents({ places, head }, withHead) {
    return [...(head && withHead ? [head] : []), ...places.map((place) => this.blocks[place].node)];
  }

  /**
   * The page after one on which there is something for this person; their number where there is none.
   * @param {number} at
   */
  after(at) {
    const next = this.pages.findIndex(({ places }, i) => i > at && !(places.length && places.every((x) => this.asking(x) === "unasked")));
    return next < 0 ? this.pages.length : next;
  }

  /** @param {number} at the place of a page */
  #sendsAfter(at) {
    return this.after(at) === this.pages.length && !this.own?.lastScreen;
  }

  /** @param {number} at the place of a page */
  async #forward(at) {
    const blocks = this.pages[at].places.map((place) => this.blocks[place]);
    if (!this.#complete(blocks)) return this.pager.warn(gettext("Not complete"));
    const last = this.#route ? await this.#route.passFrom(this, at) : at;
    if (last === null) return;
    const next = this.after(last);
    if (next === this.pages.length && !this.complete) return this.pager.warn(gettext("Not complete"));
    if (this.#sendsAfter(last)) this.send();
    else this.pager.next(this.#first + next);
  }

  resumeAt() {
    const { questions } = this.parameters;
    const open = questions.findIndex(
      (question, i) => !this.session.reportsOf(devicesOf(this.parameters, question)) && this.asking(i) !== "unasked",
    );
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
    const asked = this.blocks.filter((_, i) => this.asking(i) !== "unasked");
    const last = asked[asked.length - 1];
    if (!last.node.isConnected) this.goTo(this.blocks.indexOf(last));
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
    if (!this.options.preview) await this.#route?.hold((page) => this.pager.finish(page));
    const unasked = this.parameters.questions.filter((_, i) => this.asking(i) === "unasked");
    const body = await this.session.seal(unasked.flatMap((question) => devicesOf(this.parameters, question)));
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
    const survey = { parameters: this.options.reported, whole, parts, strength, kept };
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

/** @type {(before: number, shown: number, count: number) => string} */
function positionText(before, shown, count) {
  const [number, last] = [before + 1, before + shown];
  if (shown === 1) return interpolate(gettext("Question %(number)s of %(count)s"), { number, count });
  return interpolate(gettext("Questions %(number)s to %(last)s of %(count)s"), { number, last, count });
}

/** @type {(text: string | undefined, reached: number, count: number) => HTMLElement} */
function progressLine(text, reached, count) {
  const bar = el("progress", { value: reached, max: count, "aria-hidden": "true" });
  return el("div", { class: "progress" }, text && el("p", { class: "small quiet num" }, text), bar);
}
