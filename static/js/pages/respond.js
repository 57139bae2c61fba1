import { el } from "../lib/dom.js";
import { gettext, interpolate } from "../lib/i18n.js";
import { Session, fits } from "../lib/session.js";
import { browserStore, memoryStore } from "../lib/store.js";
import { epsilonOf } from "../rr/device.js";
import { systemBytes } from "../rr/random.js";
import { checkParameters, spent } from "../rr/wire.js";
import { Flow } from "../ui/flow.js";
import { partsFor } from "../ui/parts.js";

/** The respondent's page: verify what was served, then ask. Nothing is asked before. */

const host = document.getElementById("respond");
const welcome = document.getElementById("welcome");
const status = document.getElementById("page-status");
const preview = host.dataset.preview === "true";

const CANNOT = new Set(["insecure_context", "no_generator", "generator_failed"]);
const SCALE = 10 ** 12;

async function start() {
  try {
    const served = JSON.parse(document.getElementById("parameters").textContent);
    // No generator, no survey.
    systemBytes(1);
    const parameters = await checkParameters(served);
    ask(parameters, await partsFor(parameters));
  } catch (error) {
    refuse(error);
  }
}

function ask(parameters, parts) {
  const store = preview ? memoryStore() : browserStore(parameters.digest, fits(parameters));
  const session = new Session(parameters, store);
  const flow = new Flow(parameters, session, {
    host,
    parts,
    preview,
    refuse,
    welcome: { node: welcome, title: document.querySelector("h1") },
    url: host.dataset.responses,
    together: host.dataset.layout === "all",
  });
  const begin = document.getElementById("start");
  begin.addEventListener("click", () => flow.next());
  begin.hidden = false;
  status.hidden = true;
  document.getElementById("budget").textContent = budgetText(parameters);
  document.getElementById("forgetful").hidden = preview || session.lasting;
  flow.open();
}

// In plain words: what everything that is sent can change, at most, about a guess.
function budgetText(parameters) {
  const used = Number(spent(parameters)) / SCALE;
  const values = { used, budget: Number(parameters.epsilon) };
  // A device with a delta is taken for what its table is.
  const more = parameters.devices.filter(({ delta = null }) => delta !== null);
  const over = more.map((device) => Math.max(0, epsilonOf(device) - Number(device.epsilon)));
  const factor = Math.exp(over.reduce((sum, x) => sum + x, used));
  if (factor === Infinity) {
    const proven = gettext(
      "The scrambled questions use %(used)s of a privacy budget of %(budget)s. One of them has a code that only one answer can send; that question says how often this happens.",
    );
    return interpolate(proven, values);
  }
  const text = gettext(
    "The scrambled questions use %(used)s of a privacy budget of %(budget)s: all your codes together change the odds of a guess about you by a factor of %(factor)s at most. A factor of 1 would tell nothing.",
  );
  const shown = factor < 10 ? Math.ceil(factor * 10) / 10 : Math.ceil(factor);
  return interpolate(text, { ...values, factor: shown });
}

function refuse(error) {
  const text = CANNOT.has(error?.code)
    ? gettext(
        "This browser or connection does not give the page the secure chance that it needs. Open the page over https in an up-to-date browser.",
      )
    : gettext(
        "This page did not pass its own check. Reload it; if this stays, tell whoever sent you the link.",
      );
  const title = el("h2", { tabindex: "-1" }, gettext("Nothing is asked here"));
  const code = error?.code ? `${error.code} (${error.field || "$"})` : String(error?.name ?? "error");
  const reason = interpolate(gettext("Reason: %(code)s"), { code });
  const calm = el("p", {}, gettext("Nothing was asked and nothing was sent."));
  const body = [el("p", {}, text), calm, el("p", { class: "small quiet" }, reason)];
  host.replaceChildren(el("div", { class: "notice notice--warning refusal", role: "alert" }, title, ...body));
  title.focus();
}

start();
