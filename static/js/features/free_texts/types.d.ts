/** What texts in one's own words add to the parameters. Types only: no page loads this. */

/** A question that is answered in one's own words, sent as they are. */
interface FreeText {
  id: string;
  text: string;
  characters: number;
}

/** Absent where nothing is answered so. */
type WithFreeTexts = SurveyParameters & { free_texts: FreeText[] };
