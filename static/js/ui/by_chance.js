import { systemBytes } from "../rr/random.js";

/**
 * What features draw before anything is answered: the order of questions, and of the answers to some of them.
 * @param {FeaturePart[]} features
 * @param {SurveyParameters} parameters
 * @returns {Pick<Parts, "ordered" | "arranged" | "beside">}
 */
export const byChance = (features, parameters) => ({
  ordered: (asked, drawn) => {
    const randomBytes = drawnOnce(drawn);
    const units = features.flatMap((part) => part.units?.(parameters) ?? []);
    return features.reduce((now, part) => part.ordered?.(now, randomBytes, units) ?? now, asked);
  },
  arranged: (question, own) => features.reduce((found, part) => part.arranged?.(question, found) ?? found, own),
  beside: (stored, ids) => Object.assign({}, ...features.map((part) => part.beside?.(stored, ids))),
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
