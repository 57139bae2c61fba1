import { byId, setTitle } from "../lib/dom.js";
import { late } from "../lib/late.js";
import { Session, fits } from "../lib/session.js";
import { browserStore, memoryStore } from "../lib/store.js";
import { systemBytes } from "../rr/random.js";
import { checkParameters } from "../rr/wire.js";
import { Flow } from "../ui/flow.js";
import { partsFor } from "../ui/parts.js";

/** The respondent's page: verifies the parameters, then asks. */

const host = byId("respond");
const welcome = byId("welcome");
const status = byId("page-status");
const preview = host.dataset.preview === "true";
const sections = (host.dataset.sections ?? "").split(" ");

async function start() {
  try {
    const served = JSON.parse(byId("parameters").textContent);
    // Throws where there is no secure generator.
    systemBytes(1);
    const parameters = await checkParameters(served, load, sections);
    const parts = await partsFor(parameters);
    if (parts) await ask(parameters, parts);
  } catch (error) {
    refuse(error);
  }
}

/** @type {LoadCheck} */
const load = async (name) => (await late("checks", () => import("../lib/checks.js"))).check(name);

/**
 * @param {SurveyParameters} whole
 * @param {Parts} parts
 */
async function ask(whole, parts) {
  const { picking } = parts;
  const known =
    parts.own?.store ?? (preview ? memoryStore() : browserStore(whole.digest, picking?.fits ?? fits(whole, parts)));
  const begin = byId("start");
  begin.hidden = false;
  status.hidden = true;
  byId("forgetful").hidden = preview || known.lasting();
  const store = parts.keeping?.(known) ?? known;
  const strength = document.getElementById("strength")?.textContent;
  const agreed = await picking?.settled?.(store, begin);
  const parameters = picking?.asked(store.read()) ?? whole;
  const session = new Session(parameters, store, parts);
  picking?.follow(session);
  const flow = new Flow(parameters, session, {
    host,
    whole,
    parts,
    preview,
    refuse,
    welcome: { node: welcome, title: document.querySelector("h1") ?? welcome, name: "" },
    url: host.dataset.responses ?? "",
    strength,
    together: host.dataset.layout === "all",
  });
  begin.addEventListener("click", () => flow.next());
  // The preview of a question begins with it, and leaves the focus to who types beside it.
  if (host.dataset.begin) return flow.pager.open(flow.at(+host.dataset.begin), true);
  flow.open();
  if (agreed) flow.next();
}

/** @param {unknown} error */
async function refuse(error) {
  try {
    const { refusal } = await late("refusal", () => import("../ui/refusal.js"));
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
