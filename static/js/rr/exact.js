/** Exact arithmetic in BigInt: decimals, and bounds of e to a decimal. */

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
 * Bounds of e**x times 2**bits, x = units / SCALE: the terms x**i / i! rounded down and up. From
 * i >= 2x on each term is at most half the one before, so twice the next term bounds the remainder.
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
 * Whether the sum over u of max(0, p[u] - e**x q[u]) is at most delta * denominator. Decided exactly:
 * e to a rational x > 0 is irrational, so fine enough bounds are on one side.
 * @param {(number | bigint)[]} p
 * @param {(number | bigint)[]} q
 * @param {bigint} units x in units of 10**-12
 * @param {bigint} [delta] in units of 10**-12
 * @param {number} [denominator]
 */
export function excessWithin(p, q, units, delta = 0n, denominator = 1) {
  for (let bits = 64n; ; bits *= 2n) {
    const limit = (delta * BigInt(denominator)) << bits;
    const [most, least] = expBounds(units, bits).map((power) => SCALE * excess(power, bits));
    if (most <= limit) return true;
    if (least > limit) return false;
  }

  /**
   * @param {bigint} power
   * @param {bigint} bits
   */
  function excess(power, bits) {
    return p.reduce((/** @type {bigint} */ sum, entry, u) => {
      const over = (BigInt(entry) << bits) - BigInt(q[u]) * power;
      return over > 0n ? sum + over : sum;
    }, 0n);
  }
}
