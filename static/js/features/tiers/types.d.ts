/** What tiers add to the document. Types only: no page loads this. */

/** Readers of one step of every chain. */
interface Tier {
  name: string;
  /** Of the epsilon of each device. */
  share: Decimal;
}

/** A document with tiers: who reads which report of a chain, the lowest first; empty where all read the same. */
type WithTiers = SurveyParameters & { tiers: Tier[] };
