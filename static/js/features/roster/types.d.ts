/** What rosters add to the document, and what is known of whoever has a link. Types only: no page loads this. */

/** The members of a survey by personal link, without their names; the number of each one's group, if any. */
interface Roster {
  codes: string[];
  groups: string[];
  group_of: number[];
}

/** A document of a survey by personal link; the roster is null in all others. */
type WithRoster = SurveyParameters & { roster: Roster };

/**
 * Whose link it is: the code, its place in the roster, and the names of all; null while nobody is asked.
 * `handle`: what a browser that several members share may know this one by.
 */
interface Person {
  member: string;
  handle: string;
  place: number;
  names: string[] | null;
  answered: boolean;
}

/** One of the others of a roster; `note` tells the same name twice apart. */
interface RosterName {
  /** Its place in a report. */
  bit: number;
  name: string;
  note: string;
  /** Empty where there are no groups. */
  group: string;
}

/** A link that came with the address, and what the server says about it; null where it said nothing of use. */
declare var askedLink: { link: string; answer: Promise<unknown> } | undefined;
