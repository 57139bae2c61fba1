/** What arms add to the document. Types only: no page loads this. */

/** The stratum of the devices of people whom chance puts there, `share` in a hundred. */
interface Arm {
  stratum: string;
  share: number;
}

/** A document with arms: people who are asked in different ways; none where all are asked alike. */
type WithArms = SurveyParameters & { arms: Arm[] };
