import { button, el } from "../../lib/dom.js";
import { gettext } from "../../lib/i18n.js";
import { memoryStore, nameOf } from "../../lib/store.js";

// On a shared device a response is in the memory of the page alone, so that a reload has nothing to go on with.
// The page of the next person takes the place of this one in the history.

const box = /** @type {HTMLInputElement | null} */ (document.getElementById("shared-device"));
let isShared = false;

/**
 * @param {Store} store of this browser
 * @param {SurveyParameters} parameters
 * @returns {Store} in memory from the moment that the device is known to be shared
 */
export function keeping(store, parameters) {
  const memory = memoryStore();
  isShared = /** @type {WithSharing} */ (parameters).shared_device.always || Boolean(box?.checked);
  box?.addEventListener("change", () => (isShared = box.checked));
  const chosen = () => (isShared ? memory : store);
  return {
    read: () => chosen().read(),
    update: (change) => {
      // What is kept from now on stays where it is.
      if (box) box.disabled = true;
      return chosen().update(change);
    },
    lasting: () => chosen().lasting(),
    watch: (onChange) => store.watch(() => isShared || onChange()),
  };
}

/** The way to a page that knows of nobody. */
function begin() {
  location.replace(location.pathname + location.search);
}

export function farewell() {
  if (!isShared) return null;
  // How far somebody came is gone, too.
  history.replaceState({ screen: 0 }, "");
  // Out of the cache for Back and Forward comes no screen of somebody else.
  addEventListener("pageshow", ({ persisted }) => persisted && begin());
  const nothing = gettext("This phone or computer keeps nothing of it. If you need the receipt, write it down: what is copied stays on it.");
  return el("section", { class: "notice" }, el("p", {}, nothing), button(gettext("Clear the screen for the next person"), begin, "button--primary"));
}

/** @param {SurveyParameters} parameters */
export function answered({ digest }) {
  const forget = () => {
    const name = nameOf(digest);
    const kept = Object.keys(localStorage).filter((key) => key.startsWith(name));
    kept.forEach((key) => localStorage.removeItem(key));
    begin();
  };
  const text = gettext("Do you share this phone or computer, and somebody else has answered? Then you can answer, too, and their receipt is removed.");
  return el("section", { class: "notice" }, el("p", {}, text), button(gettext("I am somebody else"), forget));
}
