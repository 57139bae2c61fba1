import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { late, pause } from "../lib/late.js";
import { devicesOf } from "../rr/wire.js";
import { example, explanation, quiz } from "./explain.js";
import { Pager, keptText, screen, waiting } from "./pager.js";
import { QuestionBlock } from "./question.js";

const RETRY_MS = 5000;

/** The order of the screens, from the welcome to the receipt. */
export class Flow {
  #parameters;
  #session;
  #options;
  #blocks;
  #pager;
  #sealed = false;
  /** @type {typeof import("./farewell.js") | null} */
  #closing = null;
  /** @type {Promise<typeof import("./farewell.js")> | null} */
  #loading = null;
  #first = 0;

  /**
   * @param {SurveyParameters} parameters
   * @param {import("../lib/session.js").Session} session
   * @param {FlowOptions} options
   */
  constructor(parameters, session, options) {
    this.#parameters = parameters;
    this.#session = session;
    this.#options = options;
    this.#blocks = parameters.questions.map((question) => this.#block(question));
    this.#pager = new Pager(options.host, this.#screens());
    session.watch(() => this.#sync());
    // A page kept for the back button must not keep a choice, and may have missed another tab.
    addEventListener("pagehide", () => this.#blocks.forEach((block) => block.forget()));
    addEventListener("pageshow", (event) => event.persisted && this.#sync());
  }

  open() {
    const { receipt, body, reports } = this.#session.kept;
    if (receipt || body) this.#sync();
    else this.#pager.open(Object.keys(reports).length > 0 ? this.#resumeAt() : 0);
  }

  next() {
    this.#pager.next();
  }

  /** @param {Question} question */
  #block(question) {
    return new QuestionBlock({
      question,
      devices: devicesOf(this.#parameters, question),
      parts: this.#options.parts,
      session: this.#session,
      onTrouble: (error) => this.#trouble(error),
      onMended: () => this.#pager.warn(""),
    });
  }

  /** @param {unknown} error */
  #trouble(error) {
    if (error === undefined) this.#sync();
    else this.#options.refuse(error);
  }

  #screens() {
    const asked = this.#options.together ? [this.#allScreen()] : this.#blocks.map((_, i) => this.#oneScreen(i));
    const shown = example(this.#parameters);
    const before = shown ? [this.#chanceScreen(shown), this.#quizScreen(shown)] : [];
    this.#first = 1 + before.length;
    return [this.#options.welcome, ...before, ...asked];
  }

  /** @param {Drawn} shown */
  #chanceScreen(shown) {
    const body = explanation(shown, this.#options.parts, (error) => this.#trouble(error));
    return this.#step(gettext("What chance does"), body);
  }

  /** @param {Drawn} shown */
  #quizScreen({ devices }) {
    const { parts } = this.#options;
    const body = quiz(this.#parameters, parts.lookOf(devices[0]), parts);
    return this.#step(gettext("Two quick questions"), body);
  }

  /**
   * @param {string} name
   * @param {Node[]} body
   */
  #step(name, body) {
    const next = { name: gettext("Continue"), go: () => this.next() };
    return screen({ title: el("h2", {}, name), body, next, back: () => this.#pager.back() });
  }

  /** @param {number} index */
  #oneScreen(index) {
    const block = this.#blocks[index];
    const last = index + 1 === this.#blocks.length;
    const name = placeOf(index, this.#blocks.length);
    return screen({
      title: block.title,
      name,
      progress: progressLine(name, index, this.#blocks.length),
      body: [block.node],
      next: this.#forward(last, [block]),
      back: () => this.#pager.back(),
      shown: () => this.#prepare(),
    });
  }

  #allScreen() {
    const title = el("h2", {}, gettext("The questions"));
    const body = this.#blocks.map(({ node }) => node);
    return screen({
      title,
      body,
      next: this.#forward(true, this.#blocks),
      back: () => this.#pager.back(),
      shown: () => this.#prepare(),
    });
  }

  /**
   * @param {boolean} last
   * @param {QuestionBlock[]} blocks
   * @returns {Step}
   */
  #forward(last, blocks) {
    const name = last ? gettext("Send") : gettext("Next");
    const go = () => {
      if (!complete(blocks)) return this.#pager.warn(gettext("Not complete"));
      if (!last) this.#pager.next();
      // Going back may have left a gap before this screen.
      else if (complete(this.#blocks)) this.#send();
      else this.#pager.warn(gettext("Not complete"));
    };
    return { name, go };
  }

  #resumeAt() {
    const open = this.#blocks.findIndex(({ devices }) => !this.#session.reportsOf(devices));
    if (this.#options.together) return this.#first;
    return this.#first + (open < 0 ? this.#blocks.length - 1 : open);
  }

  #sync() {
    if (this.#sealed) return;
    const { receipt, body } = this.#session.kept;
    if (receipt) this.#answered(receipt);
    else if (body) this.#send();
    else this.#blocks.forEach((block) => block.sync());
  }

  /** @param {string} receipt */
  #answered(receipt) {
    const name = gettext("You have answered this survey");
    this.#finish(name, ({ answeredScreen }) => answeredScreen(this.#parameters, receipt));
  }

  async #send() {
    if (this.#sealed) return;
    this.#sealed = true;
    const body = await this.#session.seal();
    if (this.#options.preview) return this.#sent(body, null);
    /** @param {string} receipt */
    const stored = (receipt) => this.#stored(body, receipt);
    this.#finish(gettext("Sending your codes"), ({ sending }) =>
      sending(this.#options.url, body, this.#session.lasting, stored),
    );
  }

  /**
   * @param {string} body
   * @param {string} receipt
   */
  async #stored(body, receipt) {
    await this.#session.acknowledge(receipt);
    this.#sent(body, receipt);
  }

  /**
   * @param {string} body
   * @param {string | null} receipt
   */
  #sent(body, receipt) {
    const { parts, strength } = this.#options;
    const shown = { parameters: this.#parameters, parts, strength };
    this.#finish(gettext("End of the preview"), ({ sentScreen }) => sentScreen(shown, body, receipt));
  }

  // The last screens are asked for as a question is shown: the moment says nothing of an answer.
  // What cannot be loaded then is loaded when it is needed; nothing is lost meanwhile.
  async #prepare() {
    if (this.#closing) return;
    this.#loading ??= late("farewell", () => import("./farewell.js"));
    this.#closing = await this.#loading.catch(() => (this.#loading = null));
  }

  /**
   * @param {string} name
   * @param {(closing: typeof import("./farewell.js")) => PageScreen} build
   */
  async #finish(name, build) {
    this.#sealed = true;
    this.#pager.finish(build(this.#closing ?? (await this.#wait(name))));
  }

  /** @param {string} name */
  async #wait(name) {
    const { nudge, say, ...shown } = waiting(name);
    this.#pager.finish(shown);
    const text = gettext("The end of this page could not be loaded yet.");
    for (;;) {
      await this.#prepare();
      if (this.#closing) return this.#closing;
      say(`${text} ${keptText(this.#session.lasting)}`, true);
      await pause(RETRY_MS, nudge);
    }
  }
}

/** @param {QuestionBlock[]} blocks */
function complete(blocks) {
  for (const block of blocks) {
    const problem = block.problem();
    if (problem) {
      block.complain(problem);
      return false;
    }
  }
  return true;
}

/** @type {(index: number, count: number) => string} */
const placeOf = (index, count) =>
  interpolate(gettext("Question %(number)s of %(count)s"), { number: index + 1, count });

/**
 * @param {string} words
 * @param {number} index
 * @param {number} count
 */
function progressLine(words, index, count) {
  const bar = el("progress", { value: index + 1, max: count, "aria-hidden": "true" });
  return el("div", { class: "progress" }, el("p", { class: "small quiet num" }, words), bar);
}
