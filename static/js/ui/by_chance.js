import { systemBytes } from "../rr/random.js";

/**
 * What features draw before anything is answered: the order of questions, and of the answers to some of them.
 * @param {FeaturePart[]} features
 * @param {string[][]} [units] questions that stay together, by id
 * @returns {Pick<Parts, "ordered" | "arranged">}
 */
export const byChance = (features, units = []) => ({
  ordered: (asked, drawn) => {
    const randomBytes = drawnOnce(drawn);
    return features.reduce((now, part) => part.ordered?.(now, randomBytes, units) ?? now, asked);
  },
  arranged: (question, own) => features.reduce((found, part) => part.arranged?.(question, found) ?? found, own),
});

/**
 * Random bytes that are kept as they are drawn, and handed out again where they were.
 * @param {Uint8Array[]} kept
 * @returns {(count: number) => Uint8Array}
 */
function drawnOnce(kept) {
  let used = 0;
  return (count) => (kept[used++] ??= systemBytes(count));
}
