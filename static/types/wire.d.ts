/** What passes between server and browser, as docs/protocol.md has it. Types only: no page loads this. */

/** A number with a fraction, as text: "1.1". */
type Decimal = string;

/** The frozen parameters of a launched survey, checked: devices with the contents of their tables. */
type SurveyParameters = Omit<ServedParameters, "devices"> & {
  devices: Device[];
  /** The features whose sections are not empty, and that of the mode. */
  used: string[];
};

/** The same as it is served. */
type ServedParameters = {
  format: number;
  survey: string;
  version: number;
  wave: number;
  /** The digest of the wave before; null in the first. */
  previous: string | null;
  /** How respondents are told apart: "open", or the mode of a feature. */
  mode: string;
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
  /** Models that are declared before anybody answers. */
  analyses: Analysis[];
  /** Known margins of the population to weight to; null where nothing is weighted. */
  weighting: Weighting | null;
  epsilon: Decimal;
  /** Why a person's total is above the limit; empty where it is not. */
  reason: string;
  questions: Question[];
  devices: ServedDevice[];
  digest: string;
  translations?: Record<string, { texts: Record<string, string>; digest: string }>;
};

type Question = {
  id: string;
  kind: string;
  /** How it is answered: "yes_no", "list", "scale", "boxes", "number", "text", "ranking", or as MEMBERS of wire.js says. */
  control: string;
  text: string;
  help: string;
  required: boolean;
  randomized: boolean;
  reason: string;
  /** Whether the last category is "Prefer not to say". */
  prefer_not: boolean;
  /** There where the last category, or the one before a refusal, is "Does not apply". */
  not_applicable?: true;
  categories: string[];
  /** Of a number; null for all other questions. */
  scale: Scale | null;
  /** The longest short text, in code points after normalization; null for all other questions. */
  characters: number | null;
  /** Of ties to the other members, whether one may go one way only; null for all other questions. */
  directed: boolean | null;
};

/** Documents with questions that are for some people only. */
type WithFilters = SurveyParameters & { filters: Filter[] };

/** Whom a question is for: those of whom all comparisons of some list are true. `unasked`: others report nothing. */
interface Filter {
  question: string;
  any: Comparison[][];
  unasked: boolean;
}

/** A comparison of the real answer to an earlier question: with some answers, or with bounds of a number. */
interface Comparison {
  question: string;
  answers: number[];
  above: string | null;
  below: string | null;
  negated: boolean;
}

/** A model of one answer given others; `event`: the answers that count, none where all are told apart. */
interface Analysis {
  name: string;
  outcome: string;
  event: number[];
  link: "logit" | "probit" | "cloglog" | "identity";
  predictors: { question: string; scored: boolean }[];
  weighted: boolean;
}

/** The share of each category of some questions in the population. */
interface Weighting {
  margins: { question: string; shares: Decimal[] }[];
}

/** The numbers from `lower` to `upper` in steps; `bins`: the step at which each begins, if there are any. */
interface Scale {
  lower: Decimal;
  upper: Decimal;
  step: Decimal;
  unit: string;
  bins: number[];
}

/** A randomizing device as it is served. */
interface ServedDevice {
  id: string;
  questions: string[];
  /** Which of a question's options it is for; null for all of the question. */
  option: number | null;
  stratum: string;
  /** The device family that built it. */
  family: string;
  /** How it is shown: "codes" or "cards". */
  look: string;
  table: Table;
  /** Null where answers are sent as they are. */
  epsilon: Decimal | null;
  delta: Decimal | null;
  instructions: string[];
  search: Record<string, unknown> | null;
  /** Its tables in all earlier waves, of which its reports are relaxations. */
  earlier: EarlierTable[];
}

/** A table of an earlier wave, and how its reports come from this wave's by chance. */
interface EarlierTable {
  wave: number;
  table: CodedTable | LinearTable;
  degradation: ServedDegradation;
}

/** Whole numbers as text: they may be larger than a number can hold. */
type ServedDegradation =
  | { form: "same" }
  | { form: "uniform"; denominator: string; kept: string; other: string }
  /** `columns[later report][earlier report] / denominator` is a probability. */
  | { form: "dense"; denominator: string; columns: string[][] };

/** The probabilities of a device as they are served. */
type Table = CodedTable | ProductTable | BitsTable | LinearTable | BloomTable | ChainTable | JointTable | TiesTable | RankingTable;

/** Reports are codes: the entries are given, or one on and one off the diagonal. */
type CodedTable = {
  /** The letter of each report. */
  reports: string[];
  denominator: number;
} & (
  | { form: "dense"; columns: number[][]; kept?: undefined; other?: undefined }
  | { form: "uniform"; columns?: undefined; kept: number; other: number }
);

/** Independent draws, one for each part. */
interface ProductTable {
  form: "product";
  parts: Table[];
}

/** A report is a string of bits; a bit is 1 with probability `one` or `zero` over the denominator. */
interface BitsTable {
  form: "bits";
  bits: number;
  denominator: number;
  one: number;
  zero: number;
}

/** Two reports on a number: the second with probability `(low + rise * step) / denominator`. */
interface LinearTable {
  form: "linear";
  reports: string[];
  denominator: number;
  low: number;
  rise: number;
  steps: number;
}

/** The Bloom filter of a text in a cohort: `hashes` bits are set; each bit is reported as of `BitsTable`. */
interface BloomTable {
  form: "bloom";
  cohorts: number;
  bits: number;
  hashes: number;
  denominator: number;
  one: number;
  zero: number;
}

/** A bit for each of the other members, each reported as of `BitsTable`. */
interface TiesTable {
  form: "ties";
  bits: number;
  denominator: number;
  one: number;
  zero: number;
}

/** Orders of items by number: a report at distance d from the truth has `weights[d]`; `refusal` has the chances of one. */
interface RankingTable {
  form: "ranking";
  items: number;
  denominator: number;
  weights: number[];
  /** Of an order as a refusal, of a refusal as itself, and of a refusal as each order; null where nobody may refuse. */
  refusal: number[] | null;
}

/** One answer reported several times, the lowest step first: each step is the next one, degraded. */
interface ChainTable {
  form: "chain";
  steps: (CodedTable | LinearTable)[];
  epsilons: Decimal[];
  degradations: ServedDegradation[];
}

/** One draw for several questions: a report with w changed answers has `weights[w] / denominator`. */
interface JointTable {
  form: "joint";
  /** The letters of the reports to each question. */
  parts: string[][];
  denominator: number;
  weights: number[];
}

/** Where reports are codes: `columns[truth][report] / denominator` is a probability. */
interface CodedContents {
  /** Number of true answers. */
  truths: number;
  reports: string[];
  denominator: number;
  columns: number[][];
  worst?: undefined;
  /** Of a chain, whose own contents are those of its last step: the contents of every step. */
  steps?: CodedContents[];
  /** Of a chain the form of its last step. */
  form?: string;
  sizes?: undefined;
  draws?: undefined;
}

/** Where they are not: the entries of the report that differ most between two truths. */
interface OtherContents {
  /** Null of texts, which are no list. */
  truths: number | null;
  worst: [bigint, bigint][];
  /** Of a string of bits: how many. */
  bits?: number;
  /** Of a product: the contents of each part. */
  parts?: CodedContents[];
  /** Of a joint device: how many answers each question has. */
  sizes?: number[];
  /** Of a joint device, and of a ranking: the denominator of its one draw. */
  draws?: number;
  steps?: undefined;
  reports?: undefined;
  denominator?: undefined;
  columns?: undefined;
}

/** The contents of a table, whatever its form. */
type TableContents = CodedContents | OtherContents;

/** The largest and the smallest entry of a report over the true answers. */
type Extremes = [number, number] | [bigint, bigint];

/** A checked device whose reports are codes. The page has words and pictures for no others. */
type Device = ServedDevice & CodedContents;

/** A checked device. */
type AnyDevice = ServedDevice & TableContents;

/** A code; of several devices a list; of bits a string; of a text its filter. The truths of bits are codes too. */
type DrawnReport = number | number[] | string | FilterReport;
type Truth = number | number[] | Marks | Named;

/** A cohort, and one character for each bit. */
type FilterReport = [number, string];

/** The bits that a text sets in a cohort. */
interface Marks {
  cohort: number;
  positions: number[];
}

/** Of the other members 1 for each that is named. */
interface Named {
  ties: number[];
}

/** A normalized text before it is hashed, empty for a refusal; its cohort was drawn before. */
interface Typed {
  words: string;
  cohort: number;
}

/** A table that was checked. */
interface CheckedTable<Contents extends TableContents = TableContents, Report extends DrawnReport = DrawnReport> {
  contents: Contents;
  /** Nothing where there is no such truth. */
  draw(truth: Truth, randomBytes: RandomBytes): Report | undefined;
  /** Whether a value is one of its reports. */
  has(report: unknown): boolean;
  /** How long one of them can be, in characters of JSON; of a list each of its entries. */
  longest: number | number[];
}

/** Whether a device of one question fits it; `strata`: those into which chance puts people. */
type CheckFit = (device: AnyDevice, question: Question, fail: Fail, strata: string[]) => void;

/** A module that only some devices need: for a form of table, a look or a delta. */
interface CheckPart {
  form?(table: Table, fail: Fail, onPage: boolean): CheckedTable;
  check?(device: AnyDevice, fail: Fail, parts: CheckParts): void;
  checkQuestion?(question: Question, fail: Fail): void;
  stepsOf?(scale: Scale): number;
  /** Of a feature: the rules of its section, and the strata into which it has chance put people. */
  checkSection?(parameters: SurveyParameters, fail: Fail, features: CheckPart[]): void;
  /** Whether it wants everybody to be asked a question in the same way. */
  askedAlike?(question: Question): boolean;
  strataOf?(parameters: SurveyParameters): string[];
  /** The document with the features that it uses by a mark of theirs. */
  marked?(parameters: SurveyParameters, sections: string[][]): SurveyParameters;
  /** How it tells respondents apart. */
  mode?: string;
  /** Whether the same people can be asked again because of it. */
  asksAgain?: boolean;
  /** Whether questions may be about members because of it. */
  hasMembers?: boolean;
  /** Whether devices have a chain because of it. */
  takesChains?: boolean;
  /** Whether chance may ask the later one of two questions before the earlier one. */
  mayComeFirst?(parameters: SurveyParameters, later: string, earlier: string): boolean;
  /** Whether some people are not asked a question, and report nothing. */
  leavesOut?(parameters: SurveyParameters, question: string): boolean;
  /** What it says at one place of the survey each: by the path of the text the questions after it. */
  saidBefore?(parameters: SurveyParameters): Record<string, string[]>;
  /** Questions that stand on one page and in one order, by id. */
  askedTogether?(parameters: SurveyParameters): string[][];
  checkFit?: CheckFit;
  checkCovered?(parameters: SurveyParameters, fail: Fail): void;
  checkSections?(parameters: SurveyParameters, fail: Fail, load: LoadCheck): Promise<string[]>;
  checkRest?(parameters: SurveyParameters, fail: Fail, load: LoadCheck): Promise<void>;
}

/** Such modules by name. */
type CheckParts = Map<string, CheckPart>;

/** Gets the module of this name, if there is one. */
type LoadCheck = (name: string) => Promise<CheckPart | undefined>;

/** A code, of a chain the code of each step, the filter of a text, or the bits of ties. */
type SentReport = number | number[] | FilterReport | string;

/** The reports of one person, by device. */
type Reports = Record<string, SentReport>;

/** The body of a response. */
interface ResponseBody {
  digest: string;
  submission: string;
  reports: Reports;
  strata?: Record<string, string>;
  orders?: Record<string, number>;
  texts?: Record<string, string>;
  /** The key of the mode. */
  [own: string]: unknown;
}

/** The key that a body has because of the mode: whether a value can be its, and what it is of a session. */
interface OwnKey {
  name: string;
  fits(value: unknown): boolean;
  of(stored: StoredResponse): string | undefined;
  /** What is said of it where everything is shown that was sent. */
  meaning?: string;
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

/** Throws an error that names the broken rule and the field. */
type Fail = (code: string, field: string) => never;
