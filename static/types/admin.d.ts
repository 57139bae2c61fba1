/** The editor of a draft. Types only: no page loads this. */

/** The answer to a form that saves itself. */
interface SheetAnswer {
  /** What became of it: saved, kept as typed until it is right, or why it could not be saved. */
  state: "saved" | "unfinished" | "removed" | "launched";
  /** Fingerprints of what is stored now, by field. */
  seen: Record<string, string>;
  /** The fields whose texts are not those that were sent, with what is stored. */
  changed: Record<string, string[]>;
  errors: Record<string, string[]>;
  notes: string[];
  /** Whether a version of some field has to be chosen. */
  disagrees?: boolean;
  /** Why it could not be saved. */
  message?: string;
}

/** What the admin's own scripts put there. */
interface Window {
  django?: { jQuery?: (root: Element) => { on(event: string, selector: string, listener: () => void): void } };
}
