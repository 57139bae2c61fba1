/** What batteries add to the parameters. Types only: no page loads this. */

/** Questions that follow one another, with the text of which each is an item. */
interface Battery {
  text: string;
  questions: string[];
  /** Whether chance picks the order of the items. */
  random: boolean;
}

/** Absent where no question is in a battery. */
type WithBatteries = SurveyParameters & { batteries: Battery[] };

/** What the table of a battery needs. */
interface BatteryOptions extends Pick<BlockOptions, "parts" | "session" | "onTrouble" | "recall"> {
  devices(question: Question): Device[];
  follow(question: Question): ReturnType<Route["follow"]> | undefined;
  onResolved(): void;
  /** Of its items among the questions of the survey, counted from 1. */
  numbers: number[];
}
