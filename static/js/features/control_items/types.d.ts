/** What control items add to a question. Types only: no page loads this. */

/** `known`: of a control item the share of people of whom "Yes" is true; null for all other questions. */
type WithKnownShare = Question & { known: Decimal | null };
