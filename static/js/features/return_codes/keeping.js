import { button, el, freshId } from "../../lib/dom.js";
import { copyText } from "../../lib/copying.js";
import { gettext } from "../../lib/i18n.js";
import { systemBytes } from "../../rr/random.js";
import { newReturnCode } from "./code.js";
import { newSubmissionId } from "../../rr/wire.js";
import { ledgerTable, ledgerWithNow } from "./ledger.js";
import { screen } from "../../ui/pager.js";

// The screen on which a return code is kept, and what the receipt repeats of it: nothing that is needed before the
// first question. Only the respondent keeps a code, and this browser only until the response is stored.

/**
 * The screen between the last question and sending.
 * @param {import("../../ui/flow.js").Flow} flow
 * @returns {PageScreen}
 */
export function lastScreen(flow) {
  const { session } = flow;
  const place = el("div", { class: "keeping" });
  /** @type {() => boolean} */
  let ready = () => false;
  /** @param {StoredResponse} stored */
  const fill = ({ code, earlier }) => {
    if (!code) return;
    const kept = keptBox();
    ready = earlier ? () => true : kept.confirmed;
    place.replaceChildren(...(earlier ? sameCode(code) : [...newCode(code), kept.node]));
  };
  const show = async () => {
    fill(session.stored);
    if (session.stored.code) return;
    try {
      fill(await session.update(withCode));
    } catch (error) {
      flow.trouble(error);
    }
  };
  // The code is there a moment after the screen.
  let shown = Promise.resolve();
  const onShow = () => (shown = show());
  const go = async () => {
    await shown;
    if (!ready()) flow.pager.warn(gettext("Not complete"));
    else if (flow.complete) flow.send();
    // Going back may have left a gap.
    else flow.pager.next(flow.resumeAt());
  };
  const title = el("h2", {}, gettext("Your return code"));
  return screen({ title, body: [place], next: { name: gettext("Send"), go }, back: () => flow.pager.back(), onShow });
}

/**
 * All tabs show one code.
 * @param {StoredResponse} before
 * @returns {StoredResponse}
 */
function withCode(before) {
  if (before.code || before.body || before.receipt || before.refused) return before;
  const submission = before.submission ?? newSubmissionId();
  return { ...before, submission, code: newReturnCode(systemBytes) };
}

/** @param {string} code */
function newCode(code) {
  const facts = [
    gettext("Only you have it. If it is lost, nobody can recover it."),
    gettext("Whoever has it can see the scrambled answers that you send, not the real ones."),
    gettext(
      "This browser forgets it as soon as your answers are stored. Take it with you: on paper, or where only you look.",
    ),
  ];
  return [
    el("p", { class: "lead" }, gettext("With it you can answer again later without saying who you are.")),
    codeCard(code),
    el("ul", {}, ...facts.map((fact) => el("li", {}, fact))),
  ];
}

/** @param {string} code */
function sameCode(code) {
  const text = gettext("Your return code stays the same. Keep it: from now on it leads to what you send now.");
  return [el("p", { class: "lead" }, text), codeCard(code)];
}

/** @param {string} code */
function codeCard(code) {
  const shown = el("p", { class: "return-code" }, el("bdi", { dir: "ltr" }, ...groups(code)));
  const selected = gettext("The return code is selected; copy it from here.");
  const copy = button(gettext("Copy"), () => copyText(code, shown, selected));
  const save = button(gettext("Save as a file"), () => saveFile(code));
  const print = button(gettext("Print"), () => window.print());
  const actions = el("div", { class: "cluster" }, copy, save, print);
  return el("div", { class: "card return-card" }, el("p", { class: "label" }, gettext("Your return code")), shown, actions);
}

/**
 * A narrow screen breaks the code between its groups only.
 * @param {string} code
 */
function groups(code) {
  const parts = code.match(/[^-]+-?/g) ?? [];
  return parts.map((part) => el("span", {}, part));
}

/** @param {string} code */
function saveFile(code) {
  const address = location.origin + location.pathname;
  const title = document.querySelector("h1")?.textContent ?? "";
  const note = gettext("With this return code you can answer again later. Whoever has it can see the scrambled answers that you sent.");
  const text = [title, address, "", code, "", note, ""].join("\n");
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href: url, download: "return-code.txt" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** The check that a new code was kept: one tick. */
function keptBox() {
  const [id, errorId] = [freshId(), freshId()];
  const error = el("p", { id: errorId, class: "field__error", role: "alert" });
  const box = el("input", {
    type: "checkbox",
    id,
    autocomplete: "off",
    "aria-describedby": errorId,
    onchange: () => error.replaceChildren(),
  });
  const row = el("label", { class: "option", for: id }, box, el("span", {}, gettext("I have kept my return code")));
  const confirmed = () => {
    if (box.checked) return true;
    error.textContent = gettext("Keep your return code first, then tick this box: nobody can give it to you again.");
    box.focus();
    return false;
  };
  return { node: el("div", { class: "kept" }, row, error), confirmed };
}

/**
 * The parts that the last screen repeats, before this browser forgets them.
 * @param {SurveyParameters} parameters
 * @param {StoredResponse} stored
 * @returns {Node[]}
 */
export function receiptParts(parameters, { code, earlier, reports }) {
  if (!code) return [];
  const forgets = gettext("Once this page is closed, nothing on your device has the return code. Keep it now.");
  const ledger = parameters.wave > 1 && ledgerTable(ledgerWithNow(parameters, earlier, reports));
  return [codeCard(code), el("p", { class: "small" }, forgets), ledger].filter(Boolean);
}
