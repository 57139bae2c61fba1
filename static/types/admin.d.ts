/** The change page of a survey. Types only: no page loads this. */

/** A field with a value. */
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The request to the panel about one question. */
interface PanelQuestion {
  key: string;
  [field: string]: string | boolean;
}

/** The panel's answer. */
interface PanelAnswer {
  panels: Record<string, PanelOfQuestion>;
  budget: BudgetAnswer | null;
  /** What stands above cards that share something, by feature. */
  above: Record<string, unknown[]>;
  /** What the planned number of people means for features of the survey; may be empty. */
  plan: string;
  /** Whether other panels are still to be requested. */
  more: boolean;
}

/** What a feature adds to the cards of questions; static/js/admin/card_parts.js has all of them. */
interface CardPart {
  /** The name of the feature, under which the panel's answer has what stands above cards. */
  name: string;
  /** What a card shares with others that it stands beside; empty on its own. */
  sharedBy(card: HTMLElement): string;
  /** The feature's fields of a card, as the panel takes them. */
  fieldsOf(card: HTMLElement): Record<string, string>;
  /** What a card says of it in a word or two; may be empty. */
  chipOf(root: HTMLElement, card: HTMLElement): string;
  /** Called after each change, with the cards that stay, in their order. */
  refresh(root: HTMLElement, cards: HTMLElement[]): void;
  /** Called after a field has changed; says so where it is the feature's, with values for %1, %2, ... */
  changed(root: HTMLElement, card: HTMLElement, target: EventTarget, say: (sentence: string, ...values: string[]) => void): void;
  /** Shows what stands above cards. */
  show(root: HTMLElement, panels: any[]): void;
}

/** The panel's answer for one question; missing fields are still being computed. */
interface PanelOfQuestion {
  texts: Record<string, string>;
  error: string;
  fitting?: string[];
  refusal?: string;
  design?: string;
  /** What the settings of a device mean, by device. */
  notes?: Record<string, string>;
  rows?: DeviceRow[];
  best?: string;
  proposal?: string;
  physical?: PhysicalDevice;
  sections?: PanelSection[];
}

/** A table of a panel, and sentences about it; folded ones open when they are wanted. */
interface PanelSection {
  heading: string;
  columns: string[];
  /** Marked: what the question does. */
  rows: { cells: string[]; marked: boolean }[];
  sentences: string[];
  folded: boolean;
}

/** One line of the comparison of devices; without figures while they are being computed. */
interface DeviceRow {
  name: string;
  label: string;
  note?: string;
  margin?: string;
  needed?: string;
  belief?: string;
  epsilon?: string;
  identifying_reports?: string;
}

/** The physical randomizer; empty for an unknown kind of question. */
interface PhysicalDevice {
  fitting?: string[];
  problem?: string;
  epsilon?: string;
  sentences?: string[];
}

/** What the questions use of the survey's budget. */
interface BudgetAnswer {
  total: Decimal;
  budget: Decimal;
  over: boolean;
  text: string;
  strength: string;
}
