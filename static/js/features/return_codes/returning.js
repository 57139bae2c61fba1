import { ConnectionError, HttpError, postJson } from "../../lib/delivery.js";
import { button, el, freshId } from "../../lib/dom.js";
import { gettext, interpolate } from "../../lib/i18n.js";
import { readReturnCode } from "./code.js";
import { newSubmissionId } from "../../rr/wire.js";
import { earlierOf, resentReports } from "./earlier_reports.js";
import { epsilonsThen } from "./earlier_waves.js";
import { screen } from "../../ui/pager.js";

// The screens of a later wave before its first question: the code, and what was sent with it.

export { drawAgain, earlierOf, recall } from "./earlier_reports.js";

/** @typedef {import("../../ui/flow.js").Flow} Flow */

/** @type {typeof import("./sent_before.js")} what was sent is shown by it, once all looks are here */
let shown;

/** Loads what the first question does not need. */
export const rest = async () => void (shown = await import("./sent_before.js"));

/** @type {EarlierReports | undefined} of somebody who has answered this wave: never stored */
let answered;

export const memory = () => answered;

/** @param {EarlierReports} [known] */
export const remember = (known) => void (answered = known);

// The places of the second screen and of what comes after it.
const [BEFORE, AFTER] = [2, 3];

/**
 * @param {Flow} flow
 * @returns {Visit}
 */
export function visit(flow) {
  const { session } = flow;
  let seen = false;
  /** @type {Element | undefined} what goes with somebody from question to question, to unfold */
  let above;
  const earlier = () => session.stored.earlier ?? answered;
  /** @param {EarlierReports} found */
  const finished = (found) => {
    answered = found;
    flow.pager.next(BEFORE);
  };
  return {
    screens: [askingScreen(flow, finished), () => beforeScreen(flow, earlier)],
    atQuestion: (node) => {
      const found = session.stored.earlier;
      if (!found) return;
      above ??= sentAbove(flow, found);
      node.before(above);
    },
    resumeAt: () => (session.stored.earlier ? flow.resumeAt() : 0),
    sync: () => {
      const has = Boolean(session.stored.earlier);
      // Another tab has forgotten the code that this one rests on.
      if (seen && !has) location.reload();
      seen = has;
    },
  };
}

/**
 * @param {Flow} flow
 * @param {(found: EarlierReports) => void} finished
 */
function askingScreen(flow, finished) {
  const place = el("div", { class: "returning" });
  const title = el("h2", {}, gettext("Have you answered this survey before?"));
  const onShow = () => place.replaceChildren(...asking(flow, finished, onShow));
  return screen({ title, body: [place], back: () => flow.pager.back(), onShow });
}

/**
 * @param {Flow} flow
 * @param {(found: EarlierReports) => void} finished
 * @param {() => void} again shows this screen anew
 * @returns {Node[]}
 */
function asking(flow, finished, again) {
  const { code, earlier, reports } = flow.session.stored;
  if (earlier) return foundHere(flow);
  if (code || Object.keys(reports).length > 0) return [...begunHere(flow)];
  if (flow.options.preview) return previewed(flow);
  return [codeForm(flow, finished, again), firstTime(flow)];
}

/** @param {Flow} flow */
function foundHere(flow) {
  const { session, parameters } = flow;
  const forget = async () => {
    await session.update((before) => (isFresh(before, parameters) ? { reports: {} } : before));
    location.reload();
  };
  const text = gettext("Your return code is entered, and what you sent with it was found.");
  const other = isFresh(session.stored, parameters) && button(gettext("Use another return code"), forget);
  const next = button(gettext("Continue"), () => flow.pager.next(BEFORE), "button--primary");
  return [el("p", {}, text), el("div", { class: "steps" }, next, other)];
}

/**
 * Whether nothing was drawn since the code was entered.
 * @param {StoredResponse} stored
 * @param {SurveyParameters} parameters
 */
function isFresh({ body, earlier, reports }, parameters) {
  const resent = earlier ? resentReports(parameters, earlier) : {};
  return !body && Object.keys(reports).every((id) => Object.hasOwn(resent, id));
}

/** @param {Flow} flow */
function begunHere(flow) {
  const text = gettext(
    "In this browser somebody has begun to answer for the first time. Their return code stays: go on from there.",
  );
  const next = button(gettext("Continue"), () => flow.pager.next(flow.resumeAt()), "button--primary");
  return [el("p", {}, text), el("div", { class: "steps" }, next)];
}

/** @param {Flow} flow */
function previewed(flow) {
  const text = gettext("Here respondents enter their return code. A preview has nothing that was sent before.");
  const next = button(gettext("Go on as somebody who comes for the first time"), () => flow.pager.next(AFTER), "button--primary");
  return [el("p", {}, text), el("div", { class: "steps" }, next)];
}

/** @param {Flow} flow */
function firstTime(flow) {
  const text = gettext(
    "Lost your return code? Better stop: old and new answers add up.",
  );
  return el(
    "section",
    { class: "first-time" },
    button(gettext("I answer for the first time"), () => flow.pager.next(AFTER)),
    el("p", { class: "small quiet" }, text),
    el("details", {}, el("summary", {}, gettext("Practice")), flow.practice()),
  );
}

/**
 * @param {Flow} flow
 * @param {(found: EarlierReports) => void} finished
 * @param {() => void} again
 */
function codeForm(flow, finished, again) {
  const { input, error, status, node } = codeField();
  let busy = false;
  /** @param {string} text */
  const complain = (text) => {
    error.textContent = text;
    input.setAttribute("aria-invalid", "true");
    flow.pager.warn(text && gettext("Not complete"));
    input.focus();
  };
  const submit = async () => {
    const code = readReturnCode(input.value);
    if (!code) return complain(gettext("This is not a return code: one character may be wrong. Compare it with what you kept."));
    error.replaceChildren();
    input.removeAttribute("aria-invalid");
    status.textContent = gettext("Looking for what you sent …");
    const problem = await found(code, flow, finished, again).catch(problemText);
    status.replaceChildren();
    if (problem) complain(problem);
  };
  node.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    await submit();
    busy = false;
  });
  return node;
}

function codeField() {
  const [id, errorId] = [freshId(), freshId()];
  const input = el("input", {
    type: "text",
    id,
    class: "code-input",
    dir: "ltr",
    inputmode: "text",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    "aria-describedby": errorId,
  });
  const error = el("p", { id: errorId, class: "field__error", role: "alert" });
  const status = el("p", { class: "small quiet", role: "status" });
  const node = el(
    "form",
    { autocomplete: "off", novalidate: true },
    el("label", { for: id, class: "label" }, gettext("Your return code")),
    input,
    error,
    el("button", { type: "submit", class: "button button--primary" }, gettext("Continue with my return code")),
    status,
  );
  return { input, error, status, node };
}

/**
 * Asks what was sent with a code.
 * @param {string} code
 * @param {Flow} flow
 * @param {(found: EarlierReports) => void} finished
 * @param {() => void} again
 * @returns {Promise<string | undefined>} a problem in words
 */
async function found(code, flow, finished, again) {
  const { session, parameters, options } = flow;
  const url = options.host.dataset.return ?? "";
  const answer = await postJson(url, JSON.stringify({ code }));
  const earlier = earlierOf(answer, parameters);
  if (!earlier) return misfit();
  if (earlier.answered) return void finished(earlier);
  const epsilons = await epsilonsThen(parameters, earlier, url);
  if (!epsilons) return misfit();
  const reports = resentReports(parameters, earlier);
  const stored = await session.update((before) => {
    // Another tab was faster.
    if (before.submission) return before;
    return { ...before, submission: newSubmissionId(), code, earlier: { ...earlier, epsilons }, reports };
  });
  flow.sync();
  if (stored.code === code) flow.pager.next(flow.resumeAt());
  else again();
}

const misfit = () =>
  gettext("What the server says does not fit this survey. Nothing was stored. Tell whoever sent you the link.");

/** @param {unknown} error */
function problemText(error) {
  if (error instanceof ConnectionError) {
    return gettext("There is no connection just now. Nothing is lost: try again.");
  }
  if (!(error instanceof HttpError)) throw error;
  if (error.status === 404) {
    return gettext("This survey does not know this return code. It may be of another survey, or mistyped. Try again.");
  }
  if (error.status === 422) {
    return gettext("This is not a return code: one character may be wrong. Compare it with what you kept.");
  }
  if (error.status === 429) {
    const text = gettext("Much is arriving from your network. Nothing is lost: try again in %(seconds)s seconds.");
    return interpolate(text, { seconds: Math.max(1, Math.ceil(error.retryAfter)) });
  }
  return gettext("The server has a problem of its own. Nothing is lost: try again.");
}

/**
 * @param {Flow} flow
 * @param {EarlierReports} earlier
 */
function sentAbove(flow, earlier) {
  const details = el("details", {}, el("summary", {}, gettext("What you sent before")));
  flow.whole.then(() => details.append(...shown.sentBefore(flow.parameters, flow.options.parts, earlier)));
  return details;
}

/**
 * @param {Flow} flow
 * @param {() => EarlierReports | undefined} earlier
 */
function beforeScreen(flow, earlier) {
  const place = el("div", { class: "returning" });
  const onShow = () => {
    const found = earlier();
    if (!found) return flow.pager.back();
    const next = !found.answered && button(gettext("Continue"), () => flow.pager.next(flow.resumeAt()), "button--primary");
    const steps = el("div", { class: "steps" }, next, button(gettext("Back"), () => flow.pager.back(), "button--quiet"));
    place.replaceChildren(...shown.sentBefore(flow.parameters, flow.options.parts, found), steps);
  };
  return screen({ title: el("h2", {}, gettext("What you sent before")), body: [place], onShow });
}
