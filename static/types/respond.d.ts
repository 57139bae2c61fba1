/** What the modules of the respondent's page hand to each other. Types only: no page loads this. */

/** What a session keeps: never a true answer. */
interface Kept {
  submission?: string;
  reports: Reports;
  /** The sealed request, until it is acknowledged. */
  body?: string;
  receipt?: string;
}

/** Where a response waits. */
interface Store {
  read(): Kept;
  update(change: (kept: Kept) => Kept): Promise<Kept>;
  /** Whether it outlives the page. */
  lasting(): boolean;
  watch(seen: () => void): void;
}

/** How a delivery is going. */
type Progress =
  | { state: "sending" }
  | { state: "waiting"; error: DeliveryProblem; seconds: number };

type DeliveryProblem =
  | import("../js/lib/delivery.js").ConnectionError
  | import("../js/lib/delivery.js").HttpError;

/** What `el` takes as a child; what is false or empty is left out. */
type Child = Node | string | false | null | undefined;

/** Attributes by name, and listeners under "onclick" and the like. */
type Properties = Record<
  string,
  string | number | boolean | null | undefined | ((event: Event) => unknown)
>;

/** What gives a group of controls its name and its description. */
interface Naming {
  "aria-labelledby": string;
  "aria-describedby"?: string;
}

/** The controls of one question. */
interface Control<Choice> {
  node: HTMLElement;
  /** What is chosen now; null for nothing. */
  choice(): Choice | null;
  clear(): void;
  focus(): void;
}

/** Radio buttons give the index of one answer, boxes a 0 or 1 for each. */
type AnyControl = Control<number> | Control<number[]>;

/** A picture of chance that can be set in motion. */
interface Disc {
  node: Element;
  /** `spot`: where in [0, 1) the draw fell; `stop` ends the motion at once. */
  spin(spot: number, stop: AbortSignal): Promise<void>;
}

/** Groups of people, and the same in words. */
interface Told {
  groups: number[];
  words: string;
}

/** What a code says, and what there is to unfold. */
interface Explained {
  text: string;
  more?: Element;
}

/** How devices of one sort are shown: ui/frequencies.js, ui/many.js and ui/cards.js with ui/wheel.js. */
interface Look {
  words: LookWords;
  named(letter: string): string;
  arrays(question: Question, device: Device): Element;
  outcomes(question: Question, device: Device): Element;
  who(question: Question, device: Device, code: number): Explained;
  chance(device: Device, truth: number): Disc;
  landed(question: Question, device: Device, code: number): Element;
  /** What a report is in words; only of cards. */
  meaning?(question: Question, device: Device, code: number): string;
}

interface LookWords {
  act: string;
  missing: string;
  once: string;
  nothing: string;
  same: string;
}

/** Modules that only some surveys need, and what follows from the parameters for all questions. */
interface Parts {
  /** Only where a question has several answers; nothing else asks for it. */
  boxes: typeof import("../js/ui/boxes.js");
  rare?: typeof import("../js/ui/rare.js");
  weak?: typeof import("../js/ui/weak.js");
  /** Of the question with the weakest protection: 0 to 3. */
  level: number;
  lookOf(device: Device): Look;
}

/** How the two quick questions help. */
interface QuizHelp {
  same?: string;
  different?: string;
  right?: string;
  wrong?: string;
  /** Said with every answer. */
  told?: string;
}

/** A question with the devices that the page draws for it. */
interface Drawn {
  question: Question;
  devices: Device[];
}

/** One screen of the page. */
interface PageScreen {
  node: HTMLElement;
  title: HTMLElement;
  /** Names the page in its title; the screen's own title unless given. */
  name?: string;
  /** Called as the screen appears. */
  shown?: () => void;
}

/** What a screen is made of. */
interface ScreenContent {
  title: HTMLElement;
  name?: string;
  body: Node[];
  progress?: Element;
  next?: Step;
  back?: () => void;
  shown?: () => void;
}

interface Step {
  name: string;
  go(): void;
}

/** Where the survey is shown, and with what. */
interface FlowOptions {
  host: HTMLElement;
  parts: Parts;
  preview: boolean;
  refuse(error: unknown): void;
  welcome: PageScreen;
  /** Where responses go. */
  url: string;
  /** What the first screen says of all codes together. */
  strength: string | null | undefined;
  /** Whether all questions stand on one screen. */
  together: boolean;
}

/** The catalogue of translations is a plain script that ran before the modules, or did not. */
declare var gettext: ((text: string) => string) | undefined;

interface Array<T> {
  /** What is left is not false, empty or missing. */
  filter(predicate: BooleanConstructor): Exclude<T, false | null | undefined | "" | 0>[];
}

/** What a question block is made of. */
interface BlockOptions extends Drawn {
  parts: Parts;
  session: import("../js/lib/session.js").Session;
  onTrouble(error?: unknown): void;
  onMended?(): void;
  heading?: "h2" | "h3";
  practice?: boolean;
}

/** Random bytes; a source that has run dry gives none. */
type RandomBytes = (count: number) => Uint8Array | undefined;
