/** (epsilon, delta) privacy, decided exactly. */

import { excessWithin, parseDecimal } from "./exact.js";

const ONE = 10n ** 12n;

/**
 * Refuses a device that does not satisfy its declared guarantee. docs/protocol.md
 * @param {AnyDevice} device
 * @param {Fail} fail
 */
export function check({ epsilon, delta, columns, denominator }, fail) {
  const [units, share] = [parseDecimal(epsilon) ?? 0n, parseDecimal(delta)];
  if (share === null) fail("not_a_decimal", "delta");
  if (share <= 0n || share >= ONE) fail("not_a_share", "delta");
  /** @param {number[]} p */
  const satisfies = (p) => columns?.every((q) => excessWithin(p, q, units, share, denominator));
  if (!columns?.every(satisfies)) fail("too_revealing", "delta");
}
