/** What quotas add to the parameters. Types only: no page loads this. */

/** People with some answers to one question or two; of those without a number wanted nobody is asked. */
interface Quota {
  given: { question: string; answers: number[] }[];
  wanted: number;
}

/** Absent where a survey has none. */
type WithQuotas = SurveyParameters & { quotas: Quota[] };
