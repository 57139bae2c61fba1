/**
 * Tiers: each group of readers reads one report of every chain. surveys/features/tiers/section.py is the twin.
 */

import { parseDecimal } from "../../rr/exact.js";
import { checkKeys } from "../../rr/shape.js";

const [LEAST, MOST] = [2, 5];
const ONE = 10n ** 12n;

/** Every device that scrambles has a chain with a step for each tier. */
export const takesChains = true;

/**
 * @param {WithTiers} parameters
 * @param {Fail} fail
 */
export function checkSection({ tiers, devices }, fail) {
  if (!Array.isArray(tiers)) fail("not_a_list", "tiers");
  const shares = tiers.map((tier, i) => checkTier(tier, (code, field) => fail(code, `tiers.${i}${field && "."}${field}`)));
  const count = tiers.length;
  if (count < LEAST || count > MOST) fail("wrong_length", "tiers");
  if (new Set(tiers.map(({ name }) => name)).size < count) fail("duplicate", "tiers");
  shares.forEach((share, i) => {
    if (share <= (shares[i - 1] ?? 0n)) fail("bad_share", `tiers.${i}.share`);
  });
  if (tiers[count - 1].share !== "1") fail("bad_share", `tiers.${count - 1}.share`);
  devices.forEach((device, i) => {
    checkChain(device, shares, (code, field) => fail(code, `devices.${i}.${field}`));
  });
}

/**
 * @param {Tier} tier
 * @param {Fail} fail
 */
function checkTier(tier, fail) {
  checkKeys(tier, ["name", "share"], [], fail);
  if (typeof tier.name !== "string" || !tier.name) fail("bad_text", "name");
  return parseDecimal(tier.share) ?? fail("not_a_decimal", "share");
}

/**
 * @param {Device} device
 * @param {bigint[]} shares
 * @param {Fail} fail
 */
function checkChain({ table, epsilon }, shares, fail) {
  const chain = table.form === "chain" ? table : null;
  const wanted = epsilon === null ? 0 : shares.length;
  if ((chain?.steps.length ?? 0) !== wanted) fail("bad_chain", "table");
  const units = parseDecimal(epsilon) ?? 0n;
  chain?.epsilons.forEach((text, i) => {
    if ((parseDecimal(text) ?? 0n) * ONE > shares[i] * units) fail("over_share", `table.epsilons.${i}`);
  });
}
