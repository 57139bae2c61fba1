import { entitle } from "../lib/dom.js";
import { late } from "../lib/late.js";
import { Session, fits } from "../lib/session.js";
import { browserStore, memoryStore } from "../lib/store.js";
import { systemBytes } from "../rr/random.js";
import { checkParameters } from "../rr/wire.js";
import { Flow } from "../ui/flow.js";
import { partsFor } from "../ui/parts.js";

/** The respondent's page: verify what was served, then ask. Nothing is asked before. */

const host = document.getElementById("respond");
const welcome = document.getElementById("welcome");
const status = document.getElementById("page-status");
const preview = host.dataset.preview === "true";

async function start() {
  try {
    const served = JSON.parse(document.getElementById("parameters").textContent);
    // No generator, no survey.
    systemBytes(1);
    const parameters = await checkParameters(served, load);
    ask(parameters, await partsFor(parameters));
  } catch (error) {
    refuse(error);
  }
}

// What only some surveys need to be checked.
const CHECKS = new Map([
  ["cards", () => import("../rr/cards.js")],
  ["delta", () => import("../rr/delta.js")],
  ["product", () => import("../rr/product.js")],
  ["bits", () => import("../rr/bits.js")],
]);
const load = (name) => CHECKS.has(name) && late(name, CHECKS.get(name));

function ask(parameters, parts) {
  const store = preview ? memoryStore() : browserStore(parameters.digest, fits(parameters));
  const session = new Session(parameters, store);
  const flow = new Flow(parameters, session, {
    host,
    parts,
    preview,
    refuse,
    welcome: { node: welcome, title: document.querySelector("h1"), name: "" },
    url: host.dataset.responses,
    strength: document.getElementById("strength")?.textContent,
    together: host.dataset.layout === "all",
  });
  const begin = document.getElementById("start");
  begin.addEventListener("click", () => flow.next());
  begin.hidden = false;
  status.hidden = true;
  document.getElementById("forgetful").hidden = preview || session.lasting;
  flow.open();
}

async function refuse(error) {
  try {
    const { refusal } = await late("refusal", () => import("../ui/refusal.js"));
    host.replaceChildren(refusal(error));
    entitle(host.querySelector("h2").textContent);
    host.querySelector("h2").focus();
  } catch {
    // Not even that can be loaded: the line that was there at first says so.
    status.hidden = false;
    host.replaceChildren(status);
  }
}

start();
