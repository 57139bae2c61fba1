import { drawReport } from "../rr/device.js";
import { systemBytes, uniformBelow } from "../rr/random.js";
import { newSubmissionId, payload } from "../rr/wire.js";

/**
 * One person's answers to one survey. What is drawn is kept before it is shown and is never drawn
 * again; the true answer passes through `draw` and is held by nothing here.
 */
export class Session {
  #parameters;
  #store;
  #direct = new Map();

  /** @param {import("../rr/wire.js").Parameters} parameters @param store */
  constructor(parameters, store) {
    this.#parameters = parameters;
    this.#store = store;
  }

  /** @returns {Kept} */
  get kept() {
    return this.#store.read();
  }

  get lasting() {
    return this.#store.lasting();
  }

  /** Calls `seen` when another tab has changed what is kept. */
  watch(seen) {
    this.#store.watch(seen);
  }

  /** @param {string} id @returns {number | undefined} the report, once there is one */
  reportOf(id) {
    return this.kept.reports[id] ?? this.#direct.get(id);
  }

  /**
   * Draws the report, or finds the one drawn before, in this tab or in another.
   * @param {import("../rr/device.js").Device} device
   * @param {() => number} takeTruth gives the true answer once and forgets it
   * @returns {Promise<{code?: number, spot: number | null}>} spot: where in [0, 1) the draw fell
   */
  async draw(device, takeTruth) {
    const seen = [];
    const source = (count) => seen[seen.push(systemBytes(count)) - 1];
    const kept = await this.#store.update((before) => {
      // Drawn in another tab, or sent by it: then there is nothing left to draw.
      if (before.body || before.receipt || Object.hasOwn(before.reports, device.id)) return before;
      const code = drawReport(device, takeTruth(), source);
      const submission = before.submission ?? newSubmissionId();
      return { ...before, submission, reports: { ...before.reports, [device.id]: code } };
    });
    const spot = seen.length > 0 ? fraction(device.denominator, seen) : null;
    return { code: kept.reports[device.id], spot };
  }

  /** An answer that is sent as it is, or undefined to leave the question out. */
  setDirect(id, code) {
    if (code === undefined) this.#direct.delete(id);
    else this.#direct.set(id, code);
  }

  /** Fixes the request, byte for byte. @returns {Promise<string>} */
  async seal() {
    const kept = await this.#store.update((before) => {
      if (before.body) return before;
      const submission = before.submission ?? newSubmissionId();
      return { ...before, submission, body: this.#body(submission, before.reports) };
    });
    return kept.body;
  }

  /** From now on only the receipt is kept. */
  async acknowledge(receipt) {
    await this.#store.update(({ submission }) => ({ submission, reports: {}, receipt }));
    this.#direct.clear();
  }

  #body(submission, drawn) {
    const reports = {};
    for (const { id } of this.#parameters.devices) {
      const code = drawn[id] ?? this.#direct.get(id);
      if (code !== undefined) reports[id] = code;
    }
    return JSON.stringify(payload({ digest: this.#parameters.digest, submission, reports }));
  }
}

// The same bytes read once more: the pointer stops where the draw fell.
function fraction(denominator, seen) {
  const replay = seen.values();
  return uniformBelow(denominator, () => replay.next().value) / denominator;
}

/** Whether something found in storage is what a session keeps for this survey. */
export function fits({ devices, digest }) {
  const sizes = new Map(devices.map(({ id, reports }) => [id, reports.length]));
  const inRange = ([id, code]) => Number.isSafeInteger(code) && code >= 0 && code < sizes.get(id);
  return ({ submission, reports, body, receipt }) => {
    if (submission === undefined) return false;
    payload({ digest, submission, reports });
    const texts = [body, receipt].every((text) => text === undefined || typeof text === "string");
    return texts && Object.entries(reports).every(inRange);
  };
}
