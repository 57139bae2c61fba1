/** What the panel answers of groups. Types only: no page loads this. */

/** Questions that are sent together; without rows where their device cannot be computed. */
interface GroupAnswer {
  number: number;
  label: string;
  problems: string[];
  warning: string;
  columns: string[];
  rows: WayRow[];
  sentence: string;
}

/** One way to spend the epsilon of a group, with a cell for each column. */
interface WayRow {
  label: string;
  used: boolean;
  cells: { margin: string; best: boolean }[];
}
