/** What sections add to the parameters. Types only: no page loads this. */

/** Questions below a title and a text; without questions a statement on a page of its own. */
interface Section {
  title: string;
  text: string;
  questions: string[];
  /** Whether its questions stand on one page. */
  together: boolean;
  /** Whether chance orders its questions, and whether it changes its place with others that move. */
  random: boolean;
  moves: boolean;
}

/** Absent where the questions of a survey are in no sections. */
type WithSections = SurveyParameters & { sections: Section[] };
