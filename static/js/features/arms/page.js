import { ConnectionError, HttpError } from "../../lib/delivery.js";
import { byId, el, setTitle } from "../../lib/dom.js";
import { gettext } from "../../lib/i18n.js";
import { inArm } from "./rules.js";
import { PAGE } from "../../rr/device.js";
import { newSubmissionId } from "../../rr/wire.js";
import { lookUp } from "../../ui/looking_up.js";
import { waitingScreen } from "../../ui/pager.js";
import { pickingOf } from "../../ui/picking.js";
import { knownRefusal } from "../../ui/sending.js";

// Arms: the server says, once, in which way somebody is asked. It follows from the id of the response, which
// the browser draws by chance and keeps, so that a reload or a second tab is asked in the same way.

/**
 * @param {WithArms} parameters
 * @param {Parts} parts
 * @returns {Picking}
 */
export function picking(parameters, parts) {
  const strata = parameters.arms.map(({ stratum }) => stratum);
  const scrambled = parameters.questions.filter(({ randomized }) => randomized).map(({ id }) => id);
  /** @param {string} arm */
  const isDirect = (arm) => parameters.devices.some(({ stratum, epsilon }) => stratum === arm && epsilon === null);
  const common = pickingOf(
    {
      strata,
      pick: (stratum = PAGE) => ({ stratum, parameters: inArm(parameters, stratum) }),
      isWhole: ({ stratum, reports, body }) => stratum !== undefined || (!body && Object.keys(reports).length === 0),
      meaningOf: (stratum) => (isDirect(stratum) ? directly() : otherwise()),
    },
    parts,
  );
  /** @type {ReturnType<NonNullable<Picking["given"]>>} */
  let given = {};
  return {
    ...common,
    asked: (stored) => {
      given = { submission: stored.submission, stratum: stored.stratum };
      return common.asked(stored);
    },
    given: () => given,
    settled: (store, begin) => settled(parameters.digest, strata, store, begin),
    idWords: () => gettext("It was sent before the first question as well: by it chance decided how you are asked."),
    notice: ({ id, randomized }) => (!randomized && scrambled.includes(id) ? notice() : null),
  };
}

const directly = () => gettext("Chance has put you among those who are asked this question directly.");
const otherwise = () =>
  gettext("Chance has put you among those whose answer to this question is scrambled with another strength.");

/** At a question that others answer scrambled, before the answer. */
function notice() {
  const why = gettext(
    "Chance has put you among those who are asked this question directly. The answers of others are scrambled, so that both can be compared.",
  );
  const free = gettext(
    "Your answer here is not scrambled. It is sent and stored as it is, without your name. You can leave this question out.",
  );
  return el("div", { class: "notice notice--warning" }, el("p", {}, why), el("p", {}, free));
}

/**
 * Asks for the arm once somebody agrees to take part, unless it is known.
 * @param {string} digest
 * @param {string[]} strata
 * @param {Store} store
 * @param {HTMLElement} begin
 */
async function settled(digest, strata, store, begin) {
  const host = byId("respond");
  if (host.dataset.preview === "true") {
    await store.update((stored) => ({ ...stored, stratum: host.dataset.arm ?? PAGE }));
    return false;
  }
  if (isKnown(store.read())) return false;
  await new Promise((resolve) => begin.addEventListener("click", resolve, { once: true }));
  // The id is kept before the server sees it: whatever happens then, it is asked about no other one.
  const { submission = "" } = await store.update((stored) =>
    isKnown(stored) || stored.submission ? stored : { ...stored, submission: newSubmissionId() },
  );
  if (!isKnown(store.read())) {
    const stratum = await armOf({ digest, submission }, strata, host);
    await store.update((stored) => (isKnown(stored) ? stored : { ...stored, submission, stratum }));
  }
  return !store.read().receipt;
}

/** @param {StoredResponse} stored @returns whether there is an arm, or nothing more to ask */
const isKnown = ({ stratum, receipt }) => Boolean(stratum ?? receipt);

/**
 * @param {{digest: string, submission: string}} body
 * @param {string[]} strata
 * @param {HTMLElement} host
 * @returns {Promise<string>} never, where the server refuses
 */
async function armOf(body, strata, host) {
  const { title, node, say, nudge } = waitingScreen(gettext("Chance decides how you are asked"));
  host.replaceChildren(node);
  setTitle(title.textContent);
  title.focus({ preventScroll: true });
  const again = gettext("Nothing is lost: this page tries again by itself.");
  try {
    return await lookUp({ url: host.dataset.arms ?? "", body, read: (answer) => armIn(answer, strata), say, again, nudge });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    title.textContent = gettext("Nothing is asked here");
    setTitle(title.textContent);
    const why = gettext("The server did not say how you are to be asked. Reload the page. If this stays, tell whoever sent you the link.");
    const assurance = gettext("Nothing was asked, and none of your answers was sent.");
    say(`${knownRefusal(error) ?? why} ${assurance}`, false);
    return new Promise(() => {});
  }
}

/**
 * @param {Record<string, unknown>} answer
 * @param {string[]} strata
 */
function armIn({ arm }, strata) {
  const stratum = strata.find((each) => each === arm);
  // A captive portal may answer instead of the server.
  if (!stratum) throw new ConnectionError("not an answer");
  return stratum;
}
