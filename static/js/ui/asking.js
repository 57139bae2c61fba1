import { byId } from "../lib/dom.js";
import { Session, fits } from "../lib/session.js";
import { browserStore, memoryStore } from "../lib/store.js";
import { need } from "../lib/late.js";
import { Flow } from "./flow.js";
import { example } from "./explain.js";
import { partsFor } from "./parts.js";
import { PAGE } from "../rr/device.js";

/**
 * Asks what checked parameters ask, from the first screen on.
 * @param {SurveyParameters} checked
 * @param {AskingPage} page
 */
export async function ask(checked, { host, begin, preview, refuse, offer, taken }) {
  const languages = await need("languages" in host.dataset, () => import("./languages.js"));
  const whole = (await languages?.translated(checked)) ?? checked;
  const handed = languages?.take();
  // What is asked first may stand in its place for a while.
  const welcome = { node: byId("welcome"), title: document.querySelector("h1") ?? host, name: "" };
  const together = host.dataset.layout === "all";
  const parts = await partsFor(whole, preview || together ? whole.questions : firstOf(whole));
  if (!parts) return;
  const { begin: shown, asking } = host.dataset;
  // In the preview of one question nothing was answered before it: its author says for whom it is.
  if (shown) parts.route = parts.route?.previewed?.(shown, asking);
  const { picking, route } = parts;
  const known =
    parts.own?.store ?? (preview ? memoryStore() : browserStore(whole.digest, picking?.fits ?? fits(whole, parts)));
  // Whoever has begun may be anywhere.
  if (preview || languages || isBegun(known.read()) || parts.needsAll?.(whole)) await allOf(parts);
  offer();
  byId("forgetful").hidden = preview || known.lasting();
  const store = parts.keeping?.(known) ?? known;
  if (handed && !store.lasting()) await store.update(() => handed.stored);
  const strength = document.getElementById("strength")?.textContent;
  const settling = picking?.settled?.(store, begin);
  // Somebody has agreed while this was loaded.
  const early = taken();
  if (early) begin.click();
  const agreed = (await settling) ?? early;
  const asked = picking?.asked(store.read()) ?? whole;
  // In another language everything is asked in the order that was drawn, and what is known stays known.
  const order = handed?.order ?? [];
  const reported = parts.ordered?.(asked, order) ?? asked;
  // What the link has said is asked of nobody.
  const parameters = parts.given?.without(reported) ?? reported;
  if (handed?.memory) route?.remember(handed.memory);
  if (handed) parts.own?.remember?.(handed.own);
  const session = new Session(reported, store, parts);
  picking?.follow(session);
  const flow = new Flow(parameters, session, {
    host,
    whole,
    reported,
    parts,
    preview,
    refuse,
    welcome,
    url: host.dataset.responses ?? "",
    strength,
    order,
    // Whom a question is for is known once those before it are answered.
    together: together && !route,
  });
  begin.addEventListener("click", () => flow.next());
  // The preview of a question begins with it, and leaves the focus to who types beside it.
  if (shown) return flow.pager.open(flow.at(parameters.questions.findIndex(({ id }) => id === shown)), true);
  flow.open(handed?.at);
  languages?.attend(flow, handed);
  if (agreed) flow.next();
}

/**
 * What is met before the other questions are: the first, and that of the practice. Where chance picks what somebody is
 * asked, any may be.
 * @param {SurveyParameters} parameters
 */
function firstOf(parameters) {
  const { questions, devices } = parameters;
  if (devices.some(({ stratum }) => stratum !== PAGE)) return questions;
  return [questions[0], example(parameters)?.question ?? questions[0]];
}

/** @param {StoredResponse} stored */
const isBegun = ({ reports, body, receipt, refused }) =>
  Boolean(body || receipt || refused || Object.keys(reports).length > 0);

/** @param {Parts} parts */
async function allOf(parts) {
  await parts.rest?.();
  parts.rest = undefined;
}
