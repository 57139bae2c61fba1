import { readFragment } from "../../lib/fragment.js";

// What a link says behind its #, which is sent to nobody: `#batch=a`. Only what the document has in its list counts,
// and the page says it before anybody agrees. The address keeps it for a reload.

/**
 * @param {WithLinkValues} parameters
 * @returns {number[]} the answers that the link gives, in the order of the questions
 */
export function answersOf({ link_values: found }) {
  const said = readFragment(location.hash);
  return found.map(({ question, values }) => {
    const place = values.indexOf(said.get(question) ?? "");
    return place < 0 ? values.length : place;
  });
}

/** @param {WithLinkValues} parameters @returns {true} whoever has a link may agree, once it is told what it says */
export function opens(parameters) {
  const answers = answersOf(parameters);
  parameters.link_values.forEach(({ question }, i) => {
    const words = document.querySelectorAll(`[data-given="${question}"]`);
    words.forEach((word, answer) => word.toggleAttribute("hidden", answer !== answers[i]));
  });
  return true;
}
