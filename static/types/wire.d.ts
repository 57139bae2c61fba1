/** What passes between server and browser, as docs/protocol.md has it. Types only: no page loads this. */

/** A number with a fraction, as text: "1.1". */
type Decimal = string;

/** The frozen parameters of a launched survey. */
type SurveyParameters = {
  format: number;
  survey: string;
  version: number;
  wave: number;
  language: string;
  title: string;
  introduction?: string;
  consent?: string;
  contact?: string;
  linkage: "together" | "apart";
  population: "sample" | "fixed";
  release_threshold: number;
  release_batch: number;
  /** Pairs of questions whose answers are crossed. */
  tables: string[][];
  epsilon: Decimal;
  /** Why a person's total is above the limit; empty where it is not. */
  reason: string;
  questions: Question[];
  devices: Device[];
  digest: string;
  translations?: Record<string, unknown>;
};

type Question = {
  id: string;
  kind: string;
  text: string;
  help: string;
  required: boolean;
  randomized: boolean;
  reason: string;
  /** Whether the last category is "Prefer not to say". */
  prefer_not: boolean;
  categories: string[];
};

/** A randomizing device: `columns[truth][report] / denominator` is a probability. */
interface Device {
  id: string;
  questions: string[];
  /** Which of a question's options it is for; null for all of the question. */
  option: number | null;
  stratum: string;
  design: string;
  /** The letter of each report. */
  reports: string[];
  denominator: number;
  columns: number[][];
  /** Null where answers are sent as they are. */
  epsilon: Decimal | null;
  delta: Decimal | null;
  instructions: string[];
  search: Record<string, unknown> | null;
}

/** The reports of one person: the code of each, by device. */
type Reports = Record<string, number>;

/** The body of a response. */
interface ResponseBody {
  digest: string;
  submission: string;
  reports: Reports;
  strata?: Record<string, string>;
}

/** What the server answers to a response that it has stored. */
interface Receipt {
  receipt: string;
}

/** One reason why a response was refused. */
interface FieldProblem {
  field: string;
  code: string;
  message: string;
}

/** Says which rule is broken and where, by throwing. */
type Fail = (code: string, field: string) => never;
