/** What orders of answers add to the parameters. Types only: no page loads this. */

/** How chance picks the order in which the answers to a question stand. */
interface OptionOrder {
  question: string;
  by: "shuffled" | "rotated" | "reversed";
  /** How many answers at the end stay there. */
  last: number;
  /** Whether a response says which order was drawn. */
  kept: boolean;
}

/** Absent where all answers stand as they were written. */
type WithOptionOrders = SurveyParameters & { option_orders: OptionOrder[] };
