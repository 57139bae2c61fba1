/** Fields of authors' texts show what will be stored of them. */

import { oneLine, paragraphs } from "./author_texts.js";

/** @type {Record<string, (text: string) => string>} */
const RULES = { line: oneLine, paragraphs };

/** @param {Document} root */
export function showAsStored(root) {
  root.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const stored = RULES[target.dataset.authorText ?? ""]?.(target.value);
    if (stored !== undefined && stored !== target.value) target.value = stored;
  });
}
