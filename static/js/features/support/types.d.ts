/** What support adds to the parameters. Types only: no page loads this. */

/** `text`: help, empty where there is only an exit; `after`: the questions below which it stands. */
interface Support {
  text: string;
  after: string[];
  /** Where the quick exit leads; null where there is none. */
  exit: string | null;
}

/** Absent where a survey has neither help nor an exit. */
type WithSupport = SurveyParameters & { support: Support };
