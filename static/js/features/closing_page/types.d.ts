/** What the last screen adds to the parameters. Types only: no page loads this. */

/** What is said there, empty for the page's own words, and where a button leads, with `{id}` for the panel's id. */
interface Ending {
  text: string;
  address: string | null;
}

/** Absent where a survey says nothing of it. */
type WithClosing = SurveyParameters & {
  closing_page: Record<Way, Ending> & { panel: { name: string; key: string } | null };
};
