/** The bins of a question that asks for a date: where each begins, and the last date of all. */
interface DateBins {
  question: string;
  unit: "year" | "month" | "day";
  starts: string[];
  last: string;
}

type WithDates = SurveyParameters & { date_parts: DateBins[] };
