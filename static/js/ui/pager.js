import { announce, button, el, entitle } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";

/** One screen at a time; the history holds positions only. */
export class Pager {
  #host;
  #screens;
  #at = -1;
  #final = false;
  #name = "";

  /**
   * @param {HTMLElement} host
   * @param {PageScreen[]} screens
   */
  constructor(host, screens) {
    this.#host = host;
    this.#screens = screens;
    addEventListener("popstate", (event) => this.#pop(event.state));
  }

  /** @param {number} at */
  open(at) {
    history.replaceState({ screen: at }, "");
    this.#show(at);
  }

  next() {
    if (this.#final || this.#at + 1 >= this.#screens.length) return;
    history.pushState({ screen: this.#at + 1 }, "");
    this.#show(this.#at + 1);
  }

  back() {
    if (this.#final || this.#at === 0) return;
    history.replaceState({ screen: this.#at - 1 }, "");
    this.#show(this.#at - 1);
  }

  /**
   * The last screen: whatever was before cannot be reached again.
   * @param {PageScreen} screen
   */
  finish(screen) {
    this.#final = true;
    this.#place(screen);
  }

  /**
   * Says in the page's title that something is wrong on this screen, or nothing any more.
   * @param {string} problem
   */
  warn(problem) {
    entitle(problem, this.#name);
  }

  /** @param {{screen?: number} | null} state */
  #pop(state) {
    const at = state?.screen ?? -1;
    if (!this.#final && Number.isInteger(at) && this.#screens[at]) this.#show(at);
  }

  /** @param {number} at */
  #show(at) {
    this.#at = at;
    this.#place(this.#screens[at]);
  }

  /** @param {PageScreen} screen */
  #place({ node, title, shown, name = title.textContent }) {
    announce("");
    this.#name = name;
    entitle(name);
    this.#host.replaceChildren(node);
    scrollTo(0, 0);
    title.focus({ preventScroll: true });
    shown?.();
  }
}

/**
 * The title takes the focus, and names the page unless `name` does; `next` is {name, go}; `shown` is
 * called as the screen appears.
 * @param {ScreenContent} content
 * @returns {PageScreen}
 */
export function screen({ title, name, body, progress, next, back, shown }) {
  title.tabIndex = -1;
  const own = body.some((node) => node.contains(title)) ? [] : [title];
  const steps = [
    next && button(next.name, next.go, "button--primary"),
    back && button(gettext("Back"), back, "button--quiet"),
  ];
  const nav = (next || back) && el("div", { class: "steps" }, ...steps);
  return { title, name, shown, node: el("div", { class: "screen" }, progress, ...own, ...body, nav) };
}

/**
 * A screen that waits for the network; `say` shows a sentence, and “Try now” where asked to.
 * @param {string} name
 */
export function waiting(name) {
  const title = el("h2", {}, name);
  const status = el("p", { role: "status", class: "lead" });
  const nudge = new EventTarget();
  const again = button(gettext("Try now"), () => nudge.dispatchEvent(new Event("now")));
  again.hidden = true;
  /** @type {(text: string, asking: boolean) => void} */
  const say = (text, asking) => {
    status.textContent = text;
    again.hidden = !asking;
  };
  return { ...screen({ title, body: [status, again] }), status, nudge, say };
}

/**
 * `lasting`: the codes outlive this page.
 * @param {boolean} lasting
 */
export const keptText = (lasting) =>
  lasting
    ? gettext("Your codes are kept in this browser, and this page tries again by itself.")
    : gettext("Keep this page open: your codes are kept here, and it tries again by itself.");
