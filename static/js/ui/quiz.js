import { button, el, freshId } from "../lib/dom.js";
import { gettext } from "../lib/i18n.js";
import { radios } from "./radios.js";

/**
 * Two questions on what was explained, with help and another try. Nothing of it is kept, and
 * nobody is turned away by it.
 */

/** @returns {Node[]} */
export function quiz() {
  const answers = [gettext("No"), gettext("Yes")];
  const items = [
    item(gettext("Can people with different answers send the same code?"), answers, 1, {
      right: gettext("Right, so no code proves an answer."),
      wrong: gettext(
        "They can: chance changes some answers, and nobody sees which. Look at the circles again, or choose once more.",
      ),
    }),
    item(gettext("Can we see your real answer?"), answers, 0, {
      right: gettext("Right, it never leaves your device."),
      wrong: gettext(
        "We cannot: it is scrambled here, on your device, and only the code travels. Choose once more.",
      ),
    }),
  ];
  const check = button(gettext("Check"), () => items.forEach((one) => one.check()));
  return [...items.map(({ node }) => node), check];
}

function item(text, answers, correct, help) {
  const id = freshId();
  const told = el("p", { class: "quiz__help", role: "status" });
  const group = radios(answers, { "aria-labelledby": id }, () => told.replaceChildren());
  const check = () => {
    const choice = group.choice();
    if (choice === null) told.textContent = gettext("Choose one of the two.");
    else told.textContent = choice === correct ? help.right : help.wrong;
    told.dataset.outcome = choice === correct ? "right" : "again";
  };
  const node = el("div", { class: "quiz" }, el("h3", { id }, text), group.node, told);
  return { node, check };
}
