import { PAGE, drawReport } from "../rr/device.js";
import { systemBytes, uniformBelow } from "../rr/random.js";
import { newSubmissionId, payload } from "../rr/wire.js";

/**
 * One person's answers to one survey. What is drawn is kept before it is shown and is never drawn
 * again; the true answer passes through `draw` and is held by nothing here.
 */
export class Session {
  #parameters;
  #store;
  /** @type {Map<string, number>} */
  #direct = new Map();

  /**
   * @param {Pick<SurveyParameters, "devices" | "digest">} parameters
   * @param {Store} store
   */
  constructor(parameters, store) {
    this.#parameters = parameters;
    this.#store = store;
  }

  get kept() {
    return this.#store.read();
  }

  get lasting() {
    return this.#store.lasting();
  }

  /**
   * Calls `seen` when another tab has changed what is kept.
   * @param {() => void} seen
   */
  watch(seen) {
    this.#store.watch(seen);
  }

  /**
   * @param {Device[]} devices of a question
   * @returns {number[] | undefined} their reports, once there are any
   */
  reportsOf(devices) {
    return all(this.#known(this.kept.reports), devices);
  }

  /**
   * Draws the reports of a question together, or finds those drawn before, in this tab or another.
   * @param {Device[]} devices
   * @param {() => number[]} takeTruths gives the true answer of each once and forgets them
   * @returns {Promise<{codes?: number[], spot: number | null}>} spot: where in [0, 1) one draw fell
   */
  async draw(devices, takeTruths) {
    /** @type {Uint8Array[]} */
    const seen = [];
    /** @type {RandomBytes} */
    const source = (count) => seen[seen.push(systemBytes(count)) - 1];
    const kept = await this.#store.update((before) => {
      // Drawn in another tab, or sent by it: then there is nothing left to draw.
      if (before.body || before.receipt || all(before.reports, devices)) return before;
      const truths = takeTruths();
      const drawn = devices.map((device, i) => [device.id, drawReport(device, truths[i], source)]);
      const submission = before.submission ?? newSubmissionId();
      return { ...before, submission, reports: { ...before.reports, ...Object.fromEntries(drawn) } };
    });
    const alone = devices.length === 1 && seen.length > 0;
    const spot = alone ? fraction(devices[0].denominator, seen) : null;
    return { codes: all(kept.reports, devices), spot };
  }

  /**
   * Answers that are sent as they are, or nothing to leave the question out.
   * @param {Device[]} devices
   * @param {number[] | null} [codes]
   */
  setDirect(devices, codes) {
    devices.forEach(({ id }, i) => {
      if (codes) this.#direct.set(id, codes[i]);
      else this.#direct.delete(id);
    });
  }

  /** Fixes the request, byte for byte. */
  async seal() {
    const { body = "" } = await this.#store.update((before) => {
      if (before.body) return before;
      const submission = before.submission ?? newSubmissionId();
      return { ...before, submission, body: this.#body(submission, before.reports) };
    });
    return body;
  }

  /**
   * From now on only the receipt is kept.
   * @param {string} receipt
   */
  async acknowledge(receipt) {
    await this.#store.update(({ submission }) => ({ submission, reports: {}, receipt }));
    this.#direct.clear();
  }

  /**
   * @param {Reports} drawn
   * @returns {Reports}
   */
  #known(drawn) {
    return { ...Object.fromEntries(this.#direct), ...drawn };
  }

  /**
   * @param {string} submission
   * @param {Reports} drawn
   */
  #body(submission, drawn) {
    const { devices, digest } = this.#parameters;
    const known = this.#known(drawn);
    const reported = devices.filter(({ id }) => Object.hasOwn(known, id));
    const reports = Object.fromEntries(reported.map(({ id }) => [id, known[id]]));
    return JSON.stringify(payload({ digest, submission, reports }));
  }
}

/**
 * The same bytes read once more: the pointer stops where the draw fell.
 * @param {number} denominator
 * @param {Uint8Array[]} seen
 */
function fraction(denominator, seen) {
  let i = 0;
  return uniformBelow(denominator, () => seen[i++]) / denominator;
}

/**
 * The devices of a question are drawn in one step, so there are all reports or none.
 * @param {Reports} reports
 * @param {Device[]} devices
 */
function all(reports, devices) {
  const here = devices.every(({ id }) => Object.hasOwn(reports, id));
  return here ? devices.map(({ id }) => reports[id]) : undefined;
}

/**
 * Whether something found in storage is what a session keeps for this survey.
 * @param {SurveyParameters} parameters
 * @returns {(kept: Kept) => boolean}
 */
export function fits({ devices, digest }) {
  const drawn = devices.filter(({ stratum }) => stratum === PAGE);
  const sizes = new Map(drawn.map(({ id, reports }) => [id, reports.length]));
  /** @param {[string, number]} report */
  const inRange = ([id, code]) => Number.isSafeInteger(code) && code >= 0 && code < (sizes.get(id) ?? 0);
  /**
   * No question with a part of its reports.
   * @param {Reports} reports
   */
  const whole = (reports) => {
    /** @param {Device} device */
    const has = ({ id }) => Object.hasOwn(reports, id);
    return drawn.every((x) => has(x) || !drawn.some((y) => has(y) && y.questions[0] === x.questions[0]));
  };
  return ({ submission, reports, body, receipt }) => {
    if (submission === undefined) return false;
    payload({ digest, submission, reports });
    const texts = [body, receipt].every((text) => text === undefined || typeof text === "string");
    return texts && Object.entries(reports).every(inRange) && whole(reports);
  };
}
