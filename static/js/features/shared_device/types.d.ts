/** What shared devices add to the parameters. Types only: no page loads this. */

/** Absent where a survey says nothing of them. */
type WithSharing = SurveyParameters & {
  /** Whether every device counts as shared; otherwise each respondent says so. */
  shared_device: { always: boolean };
};
