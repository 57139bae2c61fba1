/** What values from the link add to the parameters. Types only: no page loads this. */

/** A question that the link answers: what stands there for each answer but the last. */
interface LinkValue {
  question: string;
  values: string[];
}

/** Absent where links say nothing. */
type WithLinkValues = SurveyParameters & { link_values: LinkValue[] };
