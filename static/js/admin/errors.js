/** The list of errors of a refused form: the page goes to the first, each link to its own. */

const CONTROLS = "input, select, textarea, button, summary, a[href]";

/** @param {Document} root */
export function startErrors(root) {
  const list = root.querySelector("[data-errors]");
  if (!list) return;
  list.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link) return;
    event.preventDefault();
    goTo(targetOf(link) ?? list);
  });
  // Select2 and late styles still move the page before that.
  if (document.readyState === "complete") arrive(list);
  else window.addEventListener("load", () => arrive(list), { once: true });
}

function arrive(list) {
  const first = list.querySelector("li");
  // Somebody who has begun to type is not called away.
  if (document.activeElement === document.body) goTo(targetOf(first.querySelector("a")) ?? list);
  const title = list.querySelector("h2").textContent;
  list.querySelector("[data-errors-said]").textContent = `${title}. ${first.textContent.trim()}`;
}

const targetOf = (link) => link && document.getElementById(link.hash.slice(1));

function goTo(target) {
  openAround(target);
  const control = controlOf(target);
  // From the label and the error on, which stand above the control.
  (control.closest(".entry, .form-row") ?? control).scrollIntoView();
  control.focus({ preventScroll: true });
  control.scrollIntoView({ block: "nearest" });
}

function openAround(node) {
  for (let at = node.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
}

/** The target itself, or what stands for it where it cannot be seen or take the focus. */
function controlOf(target) {
  if (target.matches(CONTROLS) && isSeen(target)) return target;
  const group = target.closest("fieldset, .form-row, [data-question]") ?? target;
  const control = target.matches(CONTROLS) && [...group.querySelectorAll(CONTROLS)].find(isSeen);
  if (control) return control;
  target.tabIndex = -1;
  return target;
}

/** Select2 leaves the list that it stands for on the page, as a single pixel. */
const isSeen = (node) => node.getClientRects().length > 0 && node.offsetWidth > 1;
