import { announce, button, el, setTitle } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";

/** One screen at a time; the history holds positions, no answers. */
export class Pager {
  #host;
  #screens;
  #at = -1;
  #final = false;
  #name = "";
  #quiet = false;
  /** Whether the page shows another language by now. */
  left = false;
  /** @type {number[]} */
  #from = [];

  /**
   * @param {HTMLElement} host
   * @param {PageScreen[]} screens
   */
  constructor(host, screens) {
    this.#host = host;
    this.#screens = screens;
    addEventListener("popstate", (event) => this.#pop(event.state));
  }

  /**
   * @param {number} at
   * @param {boolean} [quiet] leaves the focus where it is
   */
  open(at, quiet = false) {
    history.replaceState({ screen: at }, "");
    this.#quiet = quiet;
    this.#show(at);
  }

  get at() {
    return this.#at;
  }

  /** @param {number} [to] */
  next(to = this.#at + 1) {
    if (this.#final || to >= this.#screens.length) return;
    this.#from[to] = this.#at;
    history[this.#host.dataset.single ? "replaceState" : "pushState"]({ screen: to }, "");
    this.#show(to);
  }

  back() {
    if (this.#final || this.#at === 0) return;
    // Some screens are for some people only.
    const to = this.#from[this.#at] ?? this.#at - 1;
    history.replaceState({ screen: to }, "");
    this.#show(to);
  }

  /**
   * @param {number} at
   * @param {PageScreen} screen instead of one that has waited for it
   */
  put(at, screen) {
    this.#screens[at] = screen;
    if (at === this.#at && !this.#final) this.#display(screen);
  }

  /**
   * @param {PageScreen} screen the last: those before cannot be reached again
   */
  finish(screen) {
    this.#final = true;
    this.#display(screen);
  }

  /**
   * @param {string} problem of this screen for the page's title; empty for none
   */
  warn(problem) {
    setTitle(problem, this.#name);
  }

  /** @param {{screen?: number} | null} state */
  #pop(state) {
    const at = state?.screen ?? -1;
    if (!this.#final && !this.left && Number.isInteger(at) && this.#screens[at]) this.#show(at);
  }

  /** @param {number} at */
  #show(at) {
    this.#at = at;
    this.#display(this.#screens[at]);
  }

  /** @param {PageScreen} screen */
  #display({ node, title, onShow, name = title.textContent }) {
    if (this.left) return;
    // Before the first one, something else of the page may have spoken.
    if (this.#name) announce("");
    this.#name = name;
    setTitle(name);
    // The first screen comes with the page, and somebody may be reading it.
    if (!node.isConnected) {
      this.#host.replaceChildren(node);
      scrollTo(0, 0);
      if (!this.#quiet) title.focus({ preventScroll: true });
    }
    this.#quiet = false;
    onShow?.();
  }
}

/**
 * The title takes the focus, and names the page unless `name` does.
 * @param {ScreenContent} content
 * @returns {PageScreen}
 */
export function screen({ title, name, body, progress, next, back, onShow }) {
  title.tabIndex = -1;
  const heading = body.some((node) => node.contains(title)) ? [] : [title];
  const steps = [
    next && ("go" in next ? button(next.name, next.go, "button--primary") : next),
    back && button(gettext("Back"), back, "button--quiet"),
  ];
  const nav = (next || back) && el("div", { class: "steps" }, ...steps);
  return { title, name, onShow, node: el("div", { class: "screen" }, progress, ...heading, ...body, nav) };
}

/**
 * A screen that waits for the network.
 * @param {string} name
 */
export function waitingScreen(name) {
  const title = el("h2", {}, name);
  const status = el("p", { role: "status", class: "lead" });
  const nudge = new EventTarget();
  const again = button(gettext("Try now"), () => nudge.dispatchEvent(new Event("now")));
  again.hidden = true;
  /** @type {(text: string, retry: boolean) => void} */
  const say = (text, retry) => {
    status.textContent = text;
    again.hidden = !retry;
  };
  return { ...screen({ title, body: [status, again] }), status, nudge, say };
}

/**
 * @param {boolean} lasting whether the codes outlive this page
 */
export const storageText = (lasting) =>
  lasting
    ? gettext("What you send is kept in this browser, and this page tries again by itself.")
    : gettext("Keep this page open: what you send is kept here, and it tries again by itself.");
