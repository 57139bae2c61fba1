import { formatNumber, gettext, interpolate } from "../../lib/i18n.js";
import { parseDecimal } from "../../rr/exact.js";
import { rightGuesses } from "../../rr/guess.js";
import { table } from "../../ui/table.js";

// The total of what all waves may reveal about somebody with a return code.

const UNITS = 10n ** 12n;

/**
 * The waves of a person, this one included: a report that relaxes one of the last wave that was answered
 * takes its place, and any other adds to the rest. surveys/parameters/budget.py has the same (`spent_over`).
 * @param {SurveyParameters} parameters
 * @param {EarlierReports} [earlier]
 * @param {Reports} [reports] of this wave; without them those that can still be sent, which is all
 * @returns {LedgerEntry[]}
 */
export function ledgerWithNow(parameters, earlier, reports) {
  const ledger = earlier?.ledger ?? [];
  const sent = parameters.devices.filter(({ id }) => !reports || Object.hasOwn(reports, id));
  const added = sent.map(({ id, epsilon }) => units(epsilon) - units(earlier?.epsilons?.[id] ?? null));
  const total = added.reduce((sum, difference) => sum + difference, totalOf(ledger));
  return [...ledger, { wave: parameters.wave, epsilon: decimal(total) }];
}

/** @param {Decimal | null} epsilon */
const units = (epsilon) => parseDecimal(epsilon) ?? 0n;

/** @param {LedgerEntry[]} ledger */
export function ledgerTable(ledger) {
  const totals = ledger.map(({ epsilon }) => units(epsilon));
  const rows = ledger.map(({ wave }, i) => [
    interpolate(gettext("Wave %(number)s"), { number: wave }),
    number(totals[i] - (totals[i - 1] ?? 0n)),
    number(totals[i]),
  ]);
  const caption = gettext("How much your scrambled answers may reveal (epsilon)");
  const head = [gettext("Wave"), gettext("Adds"), gettext("Together, at most")];
  return table({ caption, head, rows });
}

/**
 * The last line in words.
 * @param {LedgerEntry[]} ledger
 */
export function totalWords(ledger) {
  return guessText(
    Math.ceil(Number(totalOf(ledger)) / 10 ** 10),
    gettext(
      "Suppose a guess about you is right 50 times in 100. With all your scrambled answers, it is right at most %(right)s times in %(people)s.",
    ),
    gettext("Suppose a guess about you is right 50 times in 100. With all your scrambled answers, it can be practically always right."),
  );
}

/**
 * A text with how often, at most, an even guess is right after a loss.
 * @param {number} loss in hundredths of epsilon
 * @param {string} text
 * @param {string} certain the text where it is practically always right
 */
export function guessText(loss, text, certain) {
  const guess = rightGuesses(loss);
  return guess ? interpolate(text, guess) : certain;
}

/** @param {LedgerEntry[]} ledger */
const totalOf = (ledger) => units(ledger.at(-1)?.epsilon ?? null);

/** @param {bigint} total in units */
const number = (total) => formatNumber(Number(total) / 10 ** 12);

/**
 * @param {bigint} total in units
 * @returns {Decimal}
 */
function decimal(total) {
  const digits = String(total % UNITS).padStart(12, "0").replace(/0+$/, "");
  return `${total / UNITS}${digits && "."}${digits}`;
}
