/** What answers in later texts add to the parameters. Types only: no page loads this. */

/** A text in which braces mean something: its path, and whose answers stand in it. */
interface PipedText {
  text: string;
  answers: string[];
}

/** Absent where no answer stands in a text. */
type WithPiping = SurveyParameters & { piping: PipedText[] };

/** A part of such a text, or the place of an answer with what stands there where it is not known. */
type TextPart = string | { name: string; words: string };
