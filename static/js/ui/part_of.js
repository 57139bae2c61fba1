import { PAGE, checkDevice } from "../rr/device.js";

/**
 * The device of the practice where the reports of a question are no letters, or have several versions: that of one part
 * of a report, which is drawn alike.
 * @param {Device} device
 * @param {Parts} parts
 * @returns {Device | null} null where the device itself will do
 */
export function partOf(device, { joint }) {
  const { columns, reports, denominator, sizes, steps } = device;
  const { one, zero } = /** @type {Partial<BitsTable>} */ (device.table);
  const together = joint?.();
  if (sizes && together) return alone(device, together.tableOfFirst(device));
  if (one !== undefined && zero !== undefined) {
    const whole = /** @type {BitsTable} */ (device.table).denominator;
    return alone(device, dense(whole, [zero, one].map((entry) => [whole - entry, entry]), ["A", "B"]));
  }
  const { weights, denominator: of } = /** @type {Partial<RankingTable>} */ (device.table);
  if (device.table.form === "ranking" && weights && of) {
    const [first, last] = [weights[0], weights[weights.length - 1]].map(BigInt);
    const kept = Number((BigInt(of) * first) / (first + last));
    return alone(device, dense(of, [[kept, of - kept], [of - kept, kept]], ["A", "B"]));
  }
  // Of a number the answers at both ends.
  if (reports.length === 2 && columns.length > 2) {
    return alone(device, dense(denominator, [columns[0], columns[columns.length - 1]], reports));
  }
  return steps ? alone(device, dense(denominator, columns, reports)) : null;
}

/** @type {(denominator: number, columns: number[][], reports: string[]) => CodedTable} */
const dense = (denominator, columns, reports) => ({ form: "dense", reports, denominator, columns });

/**
 * @param {AnyDevice} device
 * @param {CodedTable} table
 * @returns {Device}
 */
function alone({ questions, family, epsilon }, table) {
  const served = { id: "practice", questions, option: null, stratum: PAGE, family, look: "codes", table, epsilon };
  return /** @type {Device} */ (checkDevice({ ...served, delta: null, instructions: [], search: null, earlier: [] }));
}
