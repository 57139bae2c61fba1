import { byId, setTitle } from "../lib/dom.js";
import { fetched } from "../lib/grouped.js";
import { isKept } from "../lib/store.js";
import { systemBytes } from "../rr/random.js";
import { checkParameters } from "../rr/wire.js";

/** The respondent's page: verifies the parameters, then asks. */

const host = byId("respond");
const begin = byId("start");
const status = byId("page-status");
const preview = host.dataset.preview === "true";
const sections = (host.dataset.sections ?? "").split(" ");
let agreed = false;
let handed = false;

async function start() {
  try {
    const served = JSON.parse(byId("parameters").textContent);
    // Throws where there is no secure generator.
    systemBytes(1);
    const parameters = await checkParameters(served, load, sections);
    prefetch();
    // Whoever comes for the first time may agree while the rest is loaded. What else was kept decides what is shown.
    if (!preview && !isKept(parameters.digest)) offerEarly(parameters).catch(() => {});
    const { ask } = await import("../ui/asking.js");
    const taken = () => {
      handed = true;
      begin.removeEventListener("click", early);
      return agreed;
    };
    await ask(parameters, { host, begin, preview, refuse, offer: show, taken });
  } catch (error) {
    refuse(error);
  }
}

/** @type {LoadCheck} */
const load = async (name) => (await import("../lib/checks.js")).check(name);

/** @param {SurveyParameters} parameters */
async function offerEarly(parameters) {
  const { first } = host.dataset;
  // What a link says decides it, too.
  const isOpen = !first || (await (await import("../lib/checks.js")).opens(first, parameters));
  if (!isOpen || handed) return;
  begin.addEventListener("click", early);
  show();
}

function show() {
  begin.hidden = false;
  status.hidden = true;
}

// The questions follow as soon as they are here.
function early() {
  agreed = true;
  begin.setAttribute("aria-busy", "true");
  byId("page-loading").querySelector("span")?.removeAttribute("hidden");
}

// What the first question needs comes while the first screen is read; whoever needs it tries again.
function prefetch() {
  /** @type {NodeListOf<HTMLElement>} */
  const links = document.querySelectorAll("link[data-soon]");
  links.forEach(({ dataset }) => fetched(dataset.group ?? "").catch(() => {}));
}

/** @param {unknown} error */
async function refuse(error) {
  try {
    const { refusal } = await import("../ui/refusal.js");
    host.replaceChildren(refusal(error));
    const title = host.querySelector("h2");
    setTitle(title?.textContent);
    title?.focus();
  } catch {
    // The first line of the page says that a part could not be loaded.
    status.hidden = false;
    host.replaceChildren(status);
  }
}

start();
