/** Exact arithmetic for the promises that are exact: decimals and e to a decimal, in BigInt. */

const DECIMAL = /^(0|[1-9]\d{0,5})(?:\.(\d{1,12}))?$/;
const SCALE = 10n ** 12n;

/**
 * A plain decimal ("1.1") in units of 10**-12, or null for anything else.
 * @param {unknown} text
 */
export function parseDecimal(text) {
  const match = typeof text === "string" ? DECIMAL.exec(text) : null;
  return match && BigInt(match[1] + (match[2] ?? "").padEnd(12, "0"));
}

/**
 * Rational bounds of e**x times 2**bits, x = units / SCALE. The terms x**i / i! are rounded down
 * for the one and up for the other; once i >= 2x each is at most half the one before, so twice
 * the first left out bounds all that were.
 * @param {bigint} units
 * @param {bigint} bits
 */
function expBounds(units, bits) {
  let low = 1n << bits;
  let high = low;
  let [lowSum, highSum, i] = [0n, 0n, 0n];
  while (low > 0n || i * SCALE < 2n * units) {
    lowSum += low;
    highSum += high;
    i += 1n;
    low = (low * units) / (SCALE * i);
    high = (high * units) / (SCALE * i) + 1n;
  }
  return [lowSum, highSum + 2n * high];
}

/**
 * Whether the sum over u of max(0, here[u] - e**x there[u]) is at most delta * whole; x = units and
 * delta are in units of 10**-12. Decided exactly: e to a rational x > 0 is irrational, so finer
 * bounds always end on one side.
 * @param {(number | bigint)[]} here
 * @param {(number | bigint)[]} there
 * @param {bigint} units
 * @param {bigint} [delta]
 * @param {number} [whole]
 */
export function excessWithin(here, there, units, delta = 0n, whole = 1) {
  for (let bits = 64n; ; bits *= 2n) {
    const limit = (delta * BigInt(whole)) << bits;
    const [most, least] = expBounds(units, bits).map((power) => SCALE * excess(power, bits));
    if (most <= limit) return true;
    if (least > limit) return false;
  }

  /**
   * @param {bigint} power
   * @param {bigint} bits
   */
  function excess(power, bits) {
    return here.reduce((/** @type {bigint} */ sum, entry, u) => {
      const over = (BigInt(entry) << bits) - BigInt(there[u]) * power;
      return over > 0n ? sum + over : sum;
    }, 0n);
  }
}
