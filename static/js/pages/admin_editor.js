/** The draft of a survey: lines of questions of which one is open, and forms that save themselves. */

import { moveByGrip } from "../admin/editor/grip.js";
import { fetched, parsed, replaceContents, takeParts } from "../admin/editor/parts.js";
import { Preview } from "../admin/editor/preview.js";
import { showFitting, startQuestion } from "../admin/editor/question.js";
import { Sheet, anyUnsaved, saveAll, saveLeaving } from "../admin/editor/sheet.js";
import { holdState, startSignIn } from "../admin/editor/state.js";
import { showAsStored } from "../admin/text_fields.js";
import { around, find, findAll, seek } from "../lib/find.js";

// Between two tries of a move.
const RETRY_MS = 2_000;

const editor = seek(document, "[data-editor]", HTMLElement);
/** @type {Sheet | null} of the open question */
let opened = null;
/** How often the lines were asked for. */
let asked = 0;
/** @type {Preview | null} */
const preview = editor && new Preview(editor);

showAsStored(document);
openTarget();
for (const form of findAll(document, "form[data-sheet]", HTMLFormElement)) if (!isQuestion(form)) startSettings(form);
if (editor) startEditor(editor);
nameSearchBox(seek(document, ".entry-researchers", HTMLElement));
startSignIn(() => findAll(document, "form[data-sheet]", HTMLFormElement).find((form) => form === opened?.form) ?? seek(document, "form[data-sheet]", HTMLFormElement));
window.addEventListener("pagehide", saveLeaving);
window.addEventListener("online", () => saveAll());
document.addEventListener("visibilitychange", () => document.hidden && saveAll());
// What is sent after a sign-out is kept, so nobody is asked about it.
window.addEventListener("beforeunload", (event) => anyUnsaved() && !isSentNatively() && event.preventDefault());

/** @returns {boolean} whether the browser itself sends a form now, to sign in again */
function isSentNatively() {
  return findAll(document, "form[data-native]", HTMLFormElement).length > 0;
}

/** @param {HTMLFormElement} form */
function isQuestion(form) {
  return "questionForm" in form.dataset;
}

/**
 * The settings, or the title alone.
 * @param {HTMLFormElement} form
 */
function startSettings(form) {
  const sheet = new Sheet(form, async (answer) => {
    refresh();
    const page = answer.disagrees && !editor ? await fetched(location.href) : null;
    if (page) takeParts(form, page);
  });
  // The lists in which people are searched tell jQuery alone that they have changed.
  window.django?.jQuery?.(form).on("change", "select", () => sheet.later(0));
}

/**
 * Names the search box of Select2, which has no name and is created later.
 * @param {HTMLElement | null} entry
 */
function nameSearchBox(entry) {
  if (!entry) return;
  const name = () => {
    const box = entry.querySelector(".select2-search__field:not([aria-label])");
    box?.setAttribute("aria-label", find(entry, "label", HTMLElement).textContent.trim());
  };
  new MutationObserver(name).observe(entry, { childList: true, subtree: true });
  name();
}

// What is typed is saved before another page is opened.
document.addEventListener("click", async (event) => {
  const link = around(event.target, "a[href]", HTMLAnchorElement);
  if (!link || link.target || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || !anyUnsaved()) return;
  event.preventDefault();
  await saveAll();
  location.assign(link.href);
});

/** Opens what hides the field to which the address leads. */
function openTarget() {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  const box = around(target, "details", HTMLDetailsElement);
  if (!target || !box) return;
  box.open = true;
  target.focus();
}

/** @type {Promise<void>} */
let turn = Promise.resolve();

/**
 * One thing after the other: what is answered late would undo what was done since.
 * @param {() => Promise<void>} work
 */
function inTurn(work) {
  turn = turn.then(work, work);
}

/** Closes the menus of lines with Escape, and with a press anywhere else. */
function startMenus() {
  /** @param {EventTarget | null} kept */
  const closeBut = (kept) => {
    for (const menu of findAll(document, ".line__more[open]", HTMLDetailsElement)) {
      if (!(kept instanceof Node && menu.contains(kept))) menu.open = false;
    }
  };
  document.addEventListener("pointerdown", ({ target }) => closeBut(target));
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "Escape") {
      const menu = around(target, ".line__more[open]", HTMLDetailsElement);
      closeBut(null);
      if (menu) find(menu, "summary", HTMLElement).focus();
    }
  });
}

/** @param {HTMLElement} root */
function startEditor(root) {
  startMenus();
  root.addEventListener("click", (event) => {
    const link = around(event.target, "[data-open]", HTMLAnchorElement);
    const line = around(link, "[data-question]", HTMLElement);
    if (!line || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    inTurn(() => toggle(root, line));
  });
  root.addEventListener("submit", (event) => {
    const form = around(event.target, "form", HTMLFormElement);
    if (!form) return;
    const choosing = event.submitter?.getAttribute("formaction");
    const address = choosing ?? ("act" in form.dataset ? form.action : "");
    if (!address) return;
    event.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = "yes";
    const body = new FormData(form, event.submitter);
    inTurn(() => act(root, form, address, body));
  });
  root.classList.add("editor--live");
  moveByGrip(root, (line, after) => inTurn(() => move(root, line, after)));
  const form = seek(root, "form[data-question-form]", HTMLFormElement);
  if (form) {
    adopt(form);
    // A new question, or a new survey, begins with its text.
    const text = find(form, "[name=text]", HTMLTextAreaElement);
    if (text.value === "") text.focus();
  }
  preview?.show(form);
  if (seek(root, "[data-pending=yes]", HTMLElement)) refresh();
}

/**
 * Makes the form of an open question save itself.
 * @param {HTMLFormElement} form
 */
function adopt(form) {
  opened?.close();
  opened = new Sheet(form, (answer) => {
    refresh();
    preview?.refresh();
    if (answer.disagrees || answer.state === "removed") refresh();
  });
  startQuestion(form);
  showFitting(form);
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} line
 */
async function toggle(root, line) {
  if (!line.isConnected) return;
  const link = find(line, "[data-open]", HTMLAnchorElement);
  const isOpen = link.getAttribute("aria-expanded") === "true";
  if (!(await isAllSaved(root))) return;
  close(root);
  if (isOpen) {
    history.replaceState(null, "", root.dataset.listUrl?.replace(/questions\/$/, "change/") ?? location.href);
    await refresh();
    return;
  }
  const page = await fetched(`${link.href}?part`);
  const form = page && seek(page, "form[data-question-form]", HTMLFormElement);
  if (!form) {
    location.assign(link.href);
    return;
  }
  history.replaceState(null, "", link.href);
  show(root, line, form);
  refresh();
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} line
 * @param {HTMLFormElement} form from another document
 */
function show(root, line, form) {
  // With the comments on it, which have forms of their own.
  const whole = document.importNode(around(form, "[data-opened]", HTMLElement) ?? form, true);
  const own = whole instanceof HTMLFormElement ? whole : find(whole, "form[data-question-form]", HTMLFormElement);
  find(line, "[data-body]", HTMLElement).replaceChildren(whole);
  find(line, "[data-open]", HTMLElement).setAttribute("aria-expanded", "true");
  line.classList.add("line--open");
  adopt(own);
  const text = find(own, "[name=text]", HTMLTextAreaElement);
  text.focus({ preventScroll: true });
  line.scrollIntoView({ block: "nearest" });
  preview?.show(own);
}

/** @param {HTMLElement} root */
function close(root) {
  opened?.close();
  opened = null;
  for (const line of findAll(root, ".line--open", HTMLElement)) {
    find(line, "[data-body]", HTMLElement).replaceChildren();
    find(line, "[data-open]", HTMLElement).setAttribute("aria-expanded", "false");
    line.classList.remove("line--open");
  }
  preview?.show(null);
}

/** Takes over the lines and figures as the server has them now. */
async function refresh() {
  const root = editor;
  if (!root) return;
  const number = (asked += 1);
  const key = opened ? around(opened.form, "[data-question]", HTMLElement)?.dataset.question : "";
  const page = await fetched(`${root.dataset.listUrl}?open=${key}`);
  // A line stays in the hand that moves it.
  while (seek(root, "[data-moving]", HTMLElement)) await new Promise((done) => setTimeout(done, 100));
  // An answer about an earlier state would undo what was shown since.
  if (!page || number !== asked) return;
  takeLines(root, page);
  if (seek(page, "[data-pending=yes]", HTMLElement)) await refresh();
}

/**
 * @param {HTMLElement} root
 * @param {Document} page
 */
function takeLines(root, page) {
  const list = find(root, "[data-lines]", HTMLElement);
  const lines = new Map(findAll(list, ":scope > [data-question]", HTMLElement).map((line) => [line.dataset.question, line]));
  const fresh = findAll(page, "[data-lines] > [data-question]", HTMLElement);
  const order = fresh.map((line) => {
    const own = lines.get(line.dataset.question);
    if (!own) return document.importNode(line, true);
    lines.delete(line.dataset.question);
    for (const part of ["[data-above]", "[data-head]"]) replaceContents(find(own, part, HTMLElement), find(line, part, HTMLElement));
    for (const name of ["line--joint", "line--joint-end"]) own.classList.toggle(name, line.classList.contains(name));
    return own;
  });
  for (const gone of lines.values()) if (!gone.classList.contains("line--open")) gone.remove();
  order.forEach((line, index) => {
    if (list.children[index] !== line) list.insertBefore(line, list.children[index] ?? null);
  });
  const empty = seek(root, "[data-empty]", HTMLElement);
  if (empty) empty.hidden = order.length > 0;
  takeParts(root, page);
  if (opened) showFitting(opened.form);
}

/**
 * Adds, copies, removes or puts back, and shows the page that follows without leaving this one.
 * @param {HTMLElement} root
 * @param {HTMLFormElement} form
 * @param {string} address
 * @param {FormData} body
 */
async function act(root, form, address, body) {
  closeMenu(form);
  try {
    if (!(await isAllSaved(root))) return;
    const reply = await answered(address, body);
    if (!reply) {
      say(root, root.dataset.failed ?? "");
      return;
    }
    const page = parsed(await reply.text());
    if (!reply.ok || !seek(page, "[data-lines]", HTMLElement)) throw new Error("another page");
    // What was asked before knows nothing of it.
    asked += 1;
    close(root);
    takeLines(root, page);
    history.replaceState(null, "", reply.url);
    const fresh = seek(page, "form[data-question-form]", HTMLFormElement);
    const key = fresh && around(fresh, "[data-question]", HTMLElement)?.dataset.question;
    const line = key && seek(root, `[data-question="${key}"]`, HTMLElement);
    if (fresh && line) show(root, line, fresh);
    else if (document.activeElement === document.body) seek(root, "[data-part=removed] button", HTMLElement)?.focus();
    for (const said of findAll(page, ".messagelist li", HTMLElement)) say(root, said.textContent.trim());
    if (seek(page, "[data-pending=yes]", HTMLElement)) await refresh();
  } catch {
    // The browser does it by itself, and says what is wrong.
    const native = document.createElement("form");
    native.method = "post";
    native.action = address;
    native.hidden = true;
    for (const [name, value] of body) {
      const field = document.createElement("input");
      field.name = name;
      field.value = String(value);
      native.append(field);
    }
    document.body.append(native);
    native.submit();
  } finally {
    delete form.dataset.sent;
  }
}

/**
 * Saves what is typed; what cannot be saved now stays open, in the page.
 * @param {HTMLElement} root
 */
async function isAllSaved(root) {
  await saveAll();
  if (!opened?.isUnsaved) return true;
  say(root, root.dataset.failed ?? "");
  return false;
}

/** @param {string} address @param {FormData} body @returns {Promise<Response | null>} null without a connection */
async function answered(address, body) {
  try {
    return await fetch(address, { method: "POST", body });
  } catch {
    return null;
  }
}

/** @param {HTMLFormElement} form of the menu of a line, or another one */
function closeMenu(form) {
  const menu = around(form, ".line__more", HTMLDetailsElement);
  if (!menu) return;
  menu.open = false;
  find(menu, "summary", HTMLElement).focus({ preventScroll: true });
}

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} line
 * @param {string} after the key of the question before it; empty for the first
 */
async function move(root, line, after) {
  const lines = findAll(root, "[data-lines] > [data-question]", HTMLElement);
  const number = find(line, ".line__number", HTMLElement).textContent.trim();
  holdState("saving");
  const words = (root.dataset.moved ?? "").replace("%1", number).replace("%2", String(lines.indexOf(line) + 1));
  say(root, words.replace("%3", String(lines.length)));
  const form = find(line, "form[action$='/move/']", HTMLFormElement);
  const body = new FormData(form);
  body.set("after", after);
  while (!(await answered(form.action, body))) {
    holdState("offline");
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
  holdState("");
  await refresh();
}

/**
 * @param {HTMLElement} root
 * @param {string} words
 */
function say(root, words) {
  find(root, "[data-status]", HTMLElement).textContent = words;
}
