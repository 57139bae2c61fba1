const CROWDS = [100, 1000, 10_000, 100_000, 1_000_000];

/**
 * How often, at most, an even guess is right after a loss: this many times in that many, rounded up.
 * surveys/strength.py has the same.
 * @param {number} loss in hundredths of epsilon
 * @returns {{right: number, people: number} | null} null if it is practically certain
 */
export function rightGuesses(loss) {
  const share = 1 / (1 + Math.exp(-loss / 100));
  const people = CROWDS.find((count) => Math.ceil(count * share) < count);
  return people === undefined ? null : { right: Math.ceil(people * share), people };
}
