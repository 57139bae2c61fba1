// Answers in later texts: put there as text, in the memory of the page and nowhere else.

import { formatList } from "../../lib/i18n.js";
import { formatExact } from "../../lib/exact_numbers.js";
import { answerCount } from "../../rr/wire.js";
import { partsOfText, textAt } from "./rules.js";

const MILLION = 1e6;

/**
 * @param {SurveyParameters} parameters in the language of the page
 * @returns {Wording}
 */
export function wording(parameters) {
  const { piping } = /** @type {WithPiping} */ (parameters);
  const sources = new Set(piping.flatMap(({ answers }) => answers));
  /** @type {Map<string, TextPart[]>} texts in parts, by how the document has them */
  const texts = new Map(piping.map(({ text }) => [String(textAt(parameters, text)), partsOfText(String(textAt(parameters, text))) ?? []]));
  /** @type {Map<string, string>} */
  const known = new Map();
  /** @type {{node: Text, parts: TextPart[]}[]} */
  const shown = [];
  /** @param {TextPart} part */
  const said = (part) => (typeof part === "string" ? part : (known.get(part.name) ?? part.words));
  /** @param {{node: Text, parts: TextPart[]}} text */
  const say = ({ node, parts }) => (node.data = parts.map(said).join(""));
  /** @type {Wording["hear"]} */
  const hear = (question, answer) => {
    if (!sources.has(question.id)) return;
    const words = answer && wordsOf(question, answer);
    if (words) known.set(question.id, words);
    else known.delete(question.id);
    shown.forEach(say);
  };
  /** @param {HTMLElement} root */
  const follow = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parts = texts.get(/** @type {Text} */ (node).data);
      if (parts) shown.push({ node: /** @type {Text} */ (node), parts });
    }
    shown.forEach(say);
  };
  return {
    follow,
    after: (before) => (question) => {
      const followed = before?.(question);
      return { ...followed, onAnswer: (answer) => (followed?.onAnswer?.(answer), hear(question, answer)) };
    },
    hear,
  };
}

/**
 * @param {Question} question
 * @param {RealAnswer} answer
 * @returns {string} empty of a refusal, and where nothing is ticked
 */
function wordsOf(question, { categories, number }) {
  if (number !== undefined) return formatExact(number / MILLION);
  if (question.control === "number" && !question.scale?.bins.length) return "";
  return formatList(categories.filter((category) => category < answerCount(question)).map((category) => question.categories[category]));
}
