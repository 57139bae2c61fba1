import { formatNumber, gettext, interpolate } from "../lib/i18n.js";
import { parseDecimal } from "../rr/exact.js";
import { rightGuesses } from "../rr/guess.js";
import { spent } from "../rr/wire.js";
import { table } from "./frequencies.js";

// What all waves may reveal together about somebody with a return code.

const UNITS = 10n ** 12n;

/**
 * The waves of a person, this one included: the later codes are relaxations of the earlier ones, so
 * that all together reveal at most what this wave does.
 * @param {SurveyParameters} parameters
 * @param {EarlierReports} [earlier]
 */
export function ledgerWithNow(parameters, earlier) {
  const before = totalOf(earlier?.ledger ?? []);
  const now = spent(parameters);
  const epsilon = decimal(now > before ? now : before);
  return [...(earlier?.ledger ?? []), { wave: parameters.wave, epsilon }];
}

/** @param {LedgerEntry[]} ledger */
export function ledgerTable(ledger) {
  const units = ledger.map(({ epsilon }) => parseDecimal(epsilon) ?? 0n);
  const rows = ledger.map(({ wave }, i) => [
    interpolate(gettext("Wave %(number)s"), { number: wave }),
    number(units[i] - (units[i - 1] ?? 0n)),
    number(units[i]),
  ]);
  const caption = gettext("How much your codes may reveal (epsilon)");
  const head = [gettext("Wave"), gettext("Adds"), gettext("Together, at most")];
  return table({ caption, head, rows });
}

/**
 * The last line in words.
 * @param {LedgerEntry[]} ledger
 */
export function totalWords(ledger) {
  const guess = rightGuesses(Math.ceil(Number(totalOf(ledger)) / 10 ** 10));
  if (!guess) return gettext("All your scrambled answers together can make an even guess about you practically certain.");
  const text = gettext(
    "All your scrambled answers together can make an even guess about you (50 of 100) right %(right)s times in %(people)s, at most.",
  );
  return interpolate(text, guess);
}

/** @param {LedgerEntry[]} ledger */
const totalOf = (ledger) => parseDecimal(ledger.at(-1)?.epsilon ?? "0") ?? 0n;

/** @param {bigint} units */
const number = (units) => formatNumber(Number(units) / 10 ** 12);

/**
 * @param {bigint} units
 * @returns {Decimal}
 */
function decimal(units) {
  const digits = String(units % UNITS).padStart(12, "0").replace(/0+$/, "");
  return `${units / UNITS}${digits && "."}${digits}`;
}
