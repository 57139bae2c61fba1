import { byId } from "../lib/dom.js";
import { Session, fits } from "../lib/session.js";
import { browserStore, memoryStore } from "../lib/store.js";
import { Flow } from "./flow.js";
import { partsFor } from "./parts.js";

/**
 * Asks what checked parameters ask, from the first screen on.
 * @param {SurveyParameters} whole
 * @param {AskingPage} page
 */
export async function ask(whole, { host, begin, preview, refuse, offer, taken }) {
  // What is asked first may stand in its place for a while.
  const welcome = { node: byId("welcome"), title: document.querySelector("h1") ?? host, name: "" };
  const parts = await partsFor(whole);
  if (!parts) return;
  const { picking } = parts;
  const known =
    parts.own?.store ?? (preview ? memoryStore() : browserStore(whole.digest, picking?.fits ?? fits(whole, parts)));
  offer();
  byId("forgetful").hidden = preview || known.lasting();
  const store = parts.keeping?.(known) ?? known;
  const strength = document.getElementById("strength")?.textContent;
  const settling = picking?.settled?.(store, begin);
  // Somebody has agreed while this was loaded.
  const early = taken();
  if (early) begin.click();
  const agreed = (await settling) ?? early;
  const parameters = picking?.asked(store.read()) ?? whole;
  const session = new Session(parameters, store, parts);
  picking?.follow(session);
  const flow = new Flow(parameters, session, {
    host,
    whole,
    parts,
    preview,
    refuse,
    welcome,
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
