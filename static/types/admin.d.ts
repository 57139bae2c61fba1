/** The change page of a survey. Types only: no page loads this. */

/** A field of a form with something to read. */
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What the panel is asked about one question. */
interface AskedQuestion {
  key: string;
  [field: string]: string | boolean;
}

/** The panel's answer. */
interface PanelAnswer {
  panels: Record<string, PanelOfQuestion>;
  budget: BudgetAnswer | null;
  /** Whether the rest is to be asked for. */
  more: boolean;
}

/** The panel's answer for one question; what is missing is not known yet. */
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
