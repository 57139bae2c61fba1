/** What the modules of the respondent's page hand to each other. Types only: no page loads this. */

/** A session in storage: never a true answer. */
interface StoredResponse {
  submission?: string;
  reports: Reports;
  /** Of what chance picked, once its report is drawn; or what the server has said. */
  stratum?: string;
  /** Of questions whose order of answers is kept: which it was. */
  orders?: Record<string, number>;
  /** What was written in somebody's own words, once all is sealed. */
  texts?: Record<string, string>;
  /** The sealed request, until it is acknowledged. */
  body?: string;
  receipt?: string;
  /** What was sent in an earlier wave. */
  earlier?: EarlierReports;
  /** Why the server will never take this response. */
  refused?: string;
}

/** How chance picks what each person is asked: some of the questions, or all of them in one way. */
interface Picking {
  /**
   * Where the server picks: settles once it has, and tells whether the person has just agreed. A click on
   * `begin` agrees.
   */
  settled?(store: Store, begin: HTMLElement): Promise<boolean>;
  /** The survey as this person is asked it. */
  asked(stored: StoredResponse): SurveyParameters;
  /** Whether a stored value is a session of this survey. */
  fits(stored: StoredResponse): boolean;
  follow(session: import("../js/lib/session.js").Session): void;
  /** What the server has said of this person, for as long as the page is open. */
  given?(): Pick<StoredResponse, "submission" | "stratum">;
  /** What is to be told of a question that others are asked in another way. */
  notice?(question: Question): Element | null;
  /** What else the id of the response was for. */
  idWords?(): string;
  /** What was sent of the pick, with what it means. */
  strataRows(sent: Record<string, string>): Element[];
}

/** The strata of which each person is asked one. */
interface Picks {
  strata: string[];
  /** The survey of a stratum; without one that was kept, chance may pick it. */
  pick(stratum: string | undefined): { stratum: string; parameters: SurveyParameters };
  /** Whether there is a stratum where there has to be one. */
  isWhole(stored: StoredResponse): boolean;
  meaningOf(stratum: string): string;
}

/** A request before the first question, and where its progress is said. */
interface LookUp<Answer> {
  url: string;
  body: Record<string, string>;
  read(answer: Record<string, unknown>): Answer;
  say(text: string, retry: boolean): void;
  /** That there will be another try. */
  again: string;
  nudge: EventTarget;
}

/** What the server tells whoever comes back. */
interface EarlierReports {
  /** The last wave that was answered with this code; `answered` if it is the one in force. */
  wave: number;
  answered: boolean;
  reports: Reports;
  /** By wave, what all waves so far may reveal together. */
  ledger: LedgerEntry[];
  total: Decimal;
  /** Once that wave's own parameters have been read: the epsilon of each device of `reports` in it. */
  epsilons?: Record<string, Decimal>;
}

/** The codes of questions that were sent together, and which questions. */
interface EarlierCodes {
  name: string;
  list: Element;
}

interface LedgerEntry {
  wave: number;
  epsilon: Decimal;
}

/** A report, and where in [0, 1) its draw fell; null where nothing was drawn, or more than once. */
interface Drawn {
  code: SentReport;
  spot: number | null;
}

type DrawOne = (device: Device, truth: Truth, earlier?: EarlierReports) => Drawn;

/** The screens between the welcome and the first question of a later wave. */
interface Visit {
  /** A function makes its screen once all parts are here. */
  screens: (PageScreen | (() => PageScreen))[];
  /** The screen to open when nothing is drawn. */
  resumeAt(): number;
  /** Another tab may have found or forgotten a code. */
  sync(): void;
  /** Called as a question is shown. */
  atQuestion(node: HTMLElement): void;
}

/** Of a survey whose respondents are told apart, and whose bodies have a key of their own. */
interface OwnPart {
  key: OwnKey;
  /** Of refusals that stay, what is said of them. */
  refusals(session: import("../js/lib/session.js").Session): (error: import("../js/lib/delivery.js").HttpError) => string | undefined;
  refusedScreen(code: string): PageScreen;
  /** Where what is drawn is kept, if not where that of everybody is. */
  store?: Store;
  /** Whether what is stored of the sender can be this survey's. */
  fits?(stored: StoredResponse): boolean;
  /** The screens before the first question. */
  visit?(flow: import("../js/ui/flow.js").Flow): Visit;
  /** The screen between the last question and sending. */
  lastScreen?(flow: import("../js/ui/flow.js").Flow): PageScreen;
  /** What the receipt repeats, before this browser forgets it. */
  receiptParts?(parameters: SurveyParameters, stored: StoredResponse): Node[];
  /** What only this page knows of the sender, for the page in another language. */
  memory?(): unknown;
  remember?(known: unknown): void;
  /** Of somebody who has answered before: how a report is drawn, and how a question looks. */
  draw?: DrawOne;
  recall?(session: import("../js/lib/session.js").Session, parts: Parts): NonNullable<BlockOptions["recall"]>;
}

/** Where a response waits. */
interface Store {
  read(): StoredResponse;
  update(change: (stored: StoredResponse) => StoredResponse): Promise<StoredResponse>;
  /** Whether it outlives the page. */
  lasting(): boolean;
  watch(onChange: () => void): void;
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

/** The name and the description of a group of controls. */
interface Naming {
  "aria-labelledby": string;
  "aria-describedby"?: string;
}

/** A real answer, for as long as a comparison takes: the categories that are true, and of a number its millionths. */
interface RealAnswer {
  categories: number[];
  number?: number;
}

/**
 * Whether a question is for somebody: it is asked, it is offered with “does not apply” where the page does not know,
 * it is passed with a report that it does not apply, or nothing is reported of it.
 */
type Asking = "asked" | "offered" | "passed" | "unasked";

/** What is known of somebody, as another language of the page takes it over. */
interface RouteMemory {
  truths: (boolean | undefined)[];
  pace: object;
}

/** Who is asked what: nothing of it leaves the memory of the page. */
interface Route {
  /** One page for each question where one of a page is for some people only. */
  apart(pages: AskedPage[], asked: readonly Question[]): AskedPage[];
  /** What a question does for those that depend on it, and where it is for some people only. */
  follow(question: Question): Pick<BlockOptions, "onAnswer" | "onAsked" | "assurance">;
  forget(): void;
  memory(): RouteMemory;
  remember(memory: RouteMemory): void;
  stateOf(question: Question, session: import("../js/lib/session.js").Session): Asking;
  /** The same, in which one question is asked as its author wants to see it, and no other has to be answered. */
  previewed?(shown: string, asking?: string): Route;
  /** A question is shown, which takes so many answers, or a page without just one. */
  show(question: Question | null, answers: number): void;
  /**
   * Reports of a question that is not for this person that it does not apply, and of those that follow it.
   * `at`: the place of its page; resolves with that of the last of them, or null where one could not be drawn.
   */
  passFrom(flow: import("../js/ui/flow.js").Flow, at: number): Promise<number | null>;
  /** Whether somebody is not asked any more, and sees so. */
  stops?(flow: import("../js/ui/flow.js").Flow): boolean;
  /** Waits before anything is sent. */
  hold(show: (page: PageScreen) => void): Promise<void>;
}

/** What is known of somebody before anything is asked, and sent like a direct answer. */
interface Given {
  /** Tells all that follows from answers. */
  tell(parts: Parts): void;
  /** By device. */
  reports: Reports;
  /** The survey as it is asked. */
  without(asked: SurveyParameters): SurveyParameters;
}

/** What texts say that depend on direct answers. */
interface Wording {
  /** From now on the texts below a node are as the answers are. */
  follow(node: HTMLElement): void;
  /** What a question does for texts, after what it does besides. */
  after(follow?: Route["follow"]): Route["follow"];
  /** `answer`: null once it is taken back. */
  hear(question: Question, answer: RealAnswer | null): void;
}

/** The controls of one question. */
interface Control<Choice> {
  node: HTMLElement;
  /** The present choice, or null. */
  choice(): Choice | null;
  clear(): void;
  focus(): void;
  /** What is wrong with something that was typed and is no choice. */
  problem?(): string;
  /** Shows an answer, or hides it. */
  offer?(answer: number, isOffered: boolean): void;
  /** The number that was typed, in millionths. */
  number?(): number | undefined;
}

/** Radio buttons give the index of one answer, boxes a 0 or 1 for each, a field of texts what was typed, a list of members who is named. */
type AnyControl = Control<number> | Control<number[]> | Control<Typed> | Control<Named>;

type MakeControl = (question: Question, device: AnyDevice, naming: Naming, onChange: () => void) => AnyControl;

/** A picture of chance that can be set in motion. */
interface Disc {
  node: Element;
  /** `spot`: where in [0, 1) the draw fell; `stop` ends the motion at once. */
  spin(spot: number, stop: AbortSignal): Promise<void>;
}

/** Numbers of people by group, and the same in words. */
interface Counts {
  groups: number[];
  words: string;
}

/** Who sends a code, and details to unfold. */
interface Explained {
  text: string;
  more?: Element;
}

/** How devices of one sort are shown: ui/frequencies.js, ui/many.js, ui/cards.js with ui/wheel.js; ui/text.js. */
interface Look {
  words: LookWords;
  nameOf(letter: string): string;
  /** The one sentence on what chance does. */
  lead(question: Question, device: Device): string;
  /** A picture of what chance does, the same whatever the answer is. */
  drawing(question: Question, device: Device): Element[];
  /** The same in numbers, for those who unfold them. */
  numbers(question: Question, device: Device): Element;
  who(question: Question, device: Device, code: SentReport): Explained;
  chance(device: Device, truth: number | Typed | Named): Disc;
  result(question: Question, device: Device, code: SentReport): Element;
  /** Makes what devices draw from of what was typed. */
  prepare?(devices: Device[], takeTyped: () => Typed[]): Promise<() => Truth[]>;
  /** Of reports that are no codes: their words, and their picture. */
  letter?(report: SentReport): string;
  picture?(report: SentReport): Element;
  /** What only this page knows of the sender, for the page in another language. */
  memory?(): unknown;
  remember?(known: unknown): void;
  /** Of somebody who has answered before: how this report comes from the earlier one. */
  again?: string;
  /** Only where a report has several versions. */
  versions?(devices: Device[], reports: SentReport[]): Versions;
  /** What was sent, where a report is to several questions. */
  row?(question: Question, device: Device, reports: Reports, look: Look, parameters: SurveyParameters): Element | null;
  /** What was sent in an earlier wave, where a report is to several questions; null at all but the first. */
  before?(question: Question, device: Device, report: SentReport, parameters: SurveyParameters): EarlierCodes | null;
  /** A report in words; only of cards. */
  meaning?(question: Question, device: Device, code: SentReport): string;
}

interface LookWords {
  act: string;
  missing: string;
  once: string;
  noProof: string;
  same: string;
}

/** Loads a part if it is needed. */
type Need = <Module>(needed: boolean, load: () => Promise<Module>) => Promise<Module> | undefined;

/** What the first script of the page hands over to the one that asks. */
interface AskingPage {
  host: HTMLElement;
  /** The button of the first screen. */
  begin: HTMLElement;
  preview: boolean;
  refuse: (error: unknown) => void;
  /** Shows the button. */
  offer: () => void;
  /** Whether it was pressed already; from then on whoever asks listens to it. */
  taken: () => boolean;
}

/** A module as a function of what it needs: an imported module by its name, and one that is loaded later. */
type MakeModule = (use: (name: string) => any, later: (group: string, name: string) => Promise<any>) => object;

/** What shows questions of some kind: its name, whether a question with these devices needs it, and its module. */
type Kind = [name: string, isOf: (question: Question, devices: Device[]) => boolean, load: () => Promise<any>];

/** The modules of kinds that are here, by name. */
type Held = Record<string, any>;

/** A page with questions, or one on which something is said and nothing asked. */
interface AskedPage {
  /** The places of its questions among all that are asked, one after the other, from 0 on. */
  places: number[];
  /** What stands above them. */
  head?: HTMLElement;
  /** What takes the focus, in the head or above it; otherwise that of the only question, or their numbers. */
  title?: HTMLElement;
  /** Whether the head belongs to this place, also where all pages are one. */
  begins?: boolean;
  /** What there is to read, where several questions are answered like one. */
  reads?: Question;
}

/**
 * How somebody came to the end: with a response that is stored, or without one, because enough people like them have
 * answered, or because the survey is not for them.
 */
type Way = "complete" | "full" | "screened";

/** Who is still asked, by answers that are sent as they are. */
interface Gate {
  /** A page of their own for questions that decide who is asked the others of a page. */
  apart(pages: AskedPage[], asked: SurveyParameters): AskedPage[];
  /** The route, which ends where somebody is not asked any more. */
  around(route?: Route): Route;
}

/** A module `page.js` of a feature. */
interface FeaturePart {
  /** What a feature with a mode adds before anything is asked; null where a screen says that nothing is. */
  arrive?(parameters: SurveyParameters, parts: Parts): Promise<Parts | null>;
  picking?(parameters: SurveyParameters, parts: Parts): Picking;
  /** Who is asked what. */
  route?(parameters: SurveyParameters): Route;
  wording?(parameters: SurveyParameters): Wording;
  given?(parameters: SurveyParameters): Given;
  /** How reports are shown, from how they would be without it. */
  looks?(lookOf: Parts["lookOf"], parameters: SurveyParameters): Parts["lookOf"];
  /** What takes the answer to a question, where it is not what its kind has. */
  controls?(question: Question, parameters: SurveyParameters): ReturnType<Parts["controlOf"]>;
  /** What stands at the end: above the receipt, once a response is stored, or where nothing is sent. */
  farewell?(parameters: SurveyParameters, way?: Way): Element | null;
  /** What is said there in place of the page's own words; empty for these. */
  wordsFor?(parameters: SurveyParameters, way: Way): string;
  /** What stands on the screen of a browser in which a response was sent before. */
  answered?(parameters: SurveyParameters): Element | null;
  /** Who is still asked. */
  gate?(parameters: SurveyParameters): Gate;
  /** Where a response waits, from where it would wait without the feature. */
  keeping?(store: Store, parameters: SurveyParameters): Store;
  /** The pages on which the questions stand, if not each on one of its own. */
  pages?(parameters: SurveyParameters): AskedPage[];
  /** Where questions stand together, whatever is answered: what it adds to the parts. */
  joins?(parameters: SurveyParameters): Pick<Parts, "units" | "gathered" | "blocks">;
  /** Whether all has to be here before the first question. */
  needsAll?(parameters: SurveyParameters): boolean;
  /** The survey in the order in which this person is asked, drawn before anything is answered; `units`: what stays together. */
  ordered?(parameters: SurveyParameters, randomBytes: RandomBytes, units: string[][]): SurveyParameters;
  /**
   * What a response says beside its reports, with what is stored of that.
   * `questions`: by their ids, those for which reports are drawn; without them all.
   */
  beside?(stored: StoredResponse, questions?: string[]): Pick<StoredResponse, "orders" | "texts">;
  /** Pages after the last question. */
  lastPages?(parameters: SurveyParameters): AskedPage[];
  /** What that means: names, values and words. */
  rows?(parameters: SurveyParameters, sent: ResponseBody): [string, string, string][];
  /** The control of a question with its answers in another order, from what it would be; nothing for any other. */
  arranged?(question: Question, found: ReturnType<Parts["controlOf"]>): ReturnType<Parts["controlOf"]>;
  /** What stands below a question from the moment that it is shown. */
  below?(question: Question, parameters: SurveyParameters): Element | null;
}

/** Modules that only some surveys need, and what follows from the parameters for all questions. */
interface Parts {
  /** Only where a question has several answers; nothing else asks for it. */
  boxes(): typeof import("../js/ui/boxes.js");
  rare?: typeof import("../js/ui/rare.js");
  weak?: typeof import("../js/ui/weak.js");
  /** How respondents are told apart; of open links nothing. */
  own?: OwnPart;
  /** Only where several questions are sent together. */
  joint?(): typeof import("../js/ui/joint_blocks.js") | undefined;
  /** Loads what the screens after the first question need; nothing where all of it is here. */
  rest?(): Promise<void>;
  /** Only where chance picks how each person is asked. */
  picking?: Picking;
  /** Only where some questions are for some people. */
  route?: Route;
  wording?: Wording;
  given?: Given;
  /** What a question does for others, or for texts, where any depend on it. */
  follow?: Route["follow"];
  /** Of the features that the document uses those with a part of the page. */
  features?: FeaturePart[];
  /** Where features let a response wait. */
  keeping?(store: Store): Store;
  /** Puts below each question what features have there, whatever is answered. */
  below?(blocks: Block[], asked: SurveyParameters): void;
  /** Only where questions do not each have a page of their own, or pages say something besides. */
  pages?(parameters: SurveyParameters): AskedPage[];
  /** Only where questions stand together whatever is answered: their ids, in lists. */
  units?: string[][];
  /** The pages, with one for those that stand together. */
  gathered?(pages: AskedPage[], parameters: SurveyParameters): AskedPage[];
  /** Blocks of another sort for some of these questions. */
  blocks?(flow: import("../js/ui/flow.js").Flow, questions: Question[]): Map<string, Block>;
  needsAll?(parameters: SurveyParameters): boolean;
  /** `drawn`: the bytes by which it was, and will be, drawn. */
  ordered?(parameters: SurveyParameters, drawn: Uint8Array[]): SurveyParameters;
  beside?: FeaturePart["beside"];
  arranged?(question: Question, own?: ReturnType<Parts["controlOf"]>): ReturnType<Parts["controlOf"]>;
  /** Of the question with the weakest protection: 0 to 3. */
  level: number;
  /** Controls that only some questions have: boxes, a number, a short text. */
  controlOf(question: Question): { control: MakeControl; words?: { pick: string } } | undefined;
  lookOf(device: Device): Look;
  /** The same without what features add. */
  plainLookOf(device: Device): Look;
  partOf?: typeof import("../js/ui/part_of.js").partOf;
}

/** All versions of one answer: the codes of the last one, all in words, a list, and what follows it. */
interface Versions {
  codes: number[];
  words: string;
  list: Element;
  note: Element;
}

/** The help of the two quick questions. */
interface QuizHelp {
  same?: string;
  different?: string;
  right?: string;
  wrong?: string;
  /** Shown with every answer. */
  always?: string;
}

/** A question with the devices that the page draws for it. */
interface QuestionDevices {
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
  onShow?: () => void;
}

/** The contents of a screen. */
interface ScreenContent {
  title: HTMLElement;
  name?: string;
  body: Node[];
  progress?: Element;
  next?: Step | HTMLElement;
  back?: () => void;
  onShow?: () => void;
}

interface Step {
  name: string;
  go(): void;
}

/** Where the survey is shown, and with what. */
interface FlowOptions {
  host: HTMLElement;
  /** What everybody is asked; of it some are asked a part, or otherwise. */
  whole: SurveyParameters;
  /** What this person reports: what they are asked, and what is known before. */
  reported: SurveyParameters;
  parts: Parts;
  preview: boolean;
  refuse(error: unknown): void;
  welcome: PageScreen;
  /** Where responses go. */
  url: string;
  /** The first screen's sentence about all codes together. */
  strength: string | null | undefined;
  /** Whether all questions stand on one screen. */
  together: boolean;
  /** The bytes by which the order of the questions was drawn. */
  order: Uint8Array[];
}

/** From the catalogue of translations, a plain script that runs before the modules where there is one. */
declare var gettext: ((text: string) => string) | undefined;

interface Array<T> {
  /** Removes what is false, empty or missing. */
  filter(predicate: BooleanConstructor): Exclude<T, false | null | undefined | "" | 0>[];
}

/** A question on the page, or one of several joint ones. */
/** What the page in one language hands over to that in another. */
interface HandedOver {
  /** The place of the screen. */
  at: number;
  choices: Map<string, Entry[]>;
  /** What is in the other fields of the screen. */
  besides: Entry[];
  stored: StoredResponse;
  /** The bytes by which the order of the questions was drawn. */
  order: Uint8Array[];
  /** For whom questions are. */
  memory?: RouteMemory;
  /** What only this page knows of whoever is told apart. */
  own?: unknown;
}

/** What is in a field. */
interface Entry {
  checked: boolean;
  value: string;
}

interface Block {
  node: HTMLElement;
  title: HTMLElement;
  devices: Device[];
  sync(): void;
  problem(): string | null;
  complain(problem: string): void;
  forget(): void;
  /** Where a question may be for some people only: whether it is for somebody, and that it is not. */
  ask?(how: Asking): void;
  pass?(): Promise<boolean>;
  /** Settles once nothing turns. */
  settled?: Promise<unknown>;
}

/** The arguments of joint questions. */
interface JointOptions {
  /** Of its questions, counted from 1. */
  numbers: number[];
  /** How many questions the survey has. */
  count?: number;
  parts: Parts;
  session: import("../js/lib/session.js").Session;
  words: LookWords;
  /** Whether the question of a number stands on one screen with others. */
  isShared?(number: number): boolean;
  /** Shows the question of a number; without it all stand on one screen. */
  goTo?(number: number): void;
  onTrouble(error?: unknown): void;
  onResolved?(): void;
  /** Of somebody who sent them before: what stands in place of the device. */
  again?(): string | null;
}

/** The arguments of a question block. */
interface BlockOptions extends QuestionDevices {
  parts: Parts;
  session: import("../js/lib/session.js").Session;
  /** Without an error: the response is sent already. */
  onTrouble(error?: unknown): void;
  /** A complaint is withdrawn. */
  onResolved?(): void;
  /** The real answer as it is drawn from, or as it is sent; null once it is taken back. */
  onAnswer?(answer: RealAnswer | null): void;
  /** The question is asked, or passed: it does not apply. */
  onAsked?(nodes: { title: HTMLElement; lead: HTMLElement }, isPassed: boolean): void;
  /** What is said of the real answer once it was drawn from; that it is gone unless this says otherwise. */
  assurance?: string;
  /** Changes the look of a question that was answered in an earlier wave. */
  recall?(question: Question, devices: Device[], parts: { picture: HTMLElement; once: HTMLElement }): Look;
  heading?: "h2" | "h3";
  /** What stands below what would be sent, in the practice only. */
  practice?: () => Child[];
}

/** Random bytes; an exhausted source gives none. */
type RandomBytes = (count: number) => Uint8Array | undefined;
