import { PAGE, drawReport, isDrawn, isReportOf } from "../rr/device.js";
import { systemBytes, uniformBelow } from "../rr/random.js";
import { newSubmissionId, payload } from "../rr/wire.js";

/**
 * One person's reports for one survey. A report is stored before it is shown and never drawn again;
 * no field holds a true answer.
 */
export class Session {
  #parameters;
  #store;
  #parts;
  /** @type {Map<string, number>} */
  #direct = new Map();

  /**
   * @param {Pick<SurveyParameters, "devices" | "digest">} parameters
   * @param {Store} store
   * @param {Partial<Parts>} [parts]
   */
  constructor(parameters, store, parts = {}) {
    this.#parameters = parameters;
    this.#store = store;
    this.#parts = parts;
  }

  get stored() {
    return this.#store.read();
  }

  get lasting() {
    return this.#store.lasting();
  }

  /** @param {(stored: StoredResponse) => StoredResponse} change */
  update(change) {
    return this.#store.update(change);
  }

  /**
   * @param {() => void} onChange called when another tab has changed the stored response
   */
  watch(onChange) {
    this.#store.watch(onChange);
  }

  /**
   * @param {Device[]} devices of a question
   * @returns {SentReport[] | undefined} their reports, once there are any
   */
  reportsOf(devices) {
    return completeReports(this.#allReports(this.stored.reports), devices);
  }

  /**
   * Draws the reports of questions together, of each unless this tab or another has drawn it.
   * @param {Device[]} devices
   * @param {() => Truth[]} takeTruths gives the true answer of each once and forgets them
   * @returns {Promise<{codes?: SentReport[], spot: number | null}>} spot: where in [0, 1) one draw fell
   */
  async draw(devices, takeTruths) {
    /** @type {Drawn[]} */
    let drawn = [];
    const stored = await this.#store.update((before) => {
      // Another tab has drawn or sent them.
      if (before.body || before.receipt || completeReports(before.reports, devices)) return before;
      const truths = takeTruths();
      const draw = this.#parts.own?.draw ?? drawFresh;
      drawn = devices.map((device, i) => draw(device, truths[i], before.earlier));
      const reports = Object.fromEntries(drawn.map(({ code }, i) => [devices[i].id, code]));
      const [{ stratum }] = devices;
      const beside = this.#parts.beside?.(before, devices.flatMap(({ questions }) => questions));
      return { ...this.#withId(before), ...beside, ...(stratum !== PAGE && { stratum }), reports: { ...reports, ...before.reports } };
    });
    const spot = drawn.length === 1 ? drawn[0].spot : null;
    return { codes: completeReports(stored.reports, devices), spot };
  }

  /**
   * @param {Device[]} devices
   * @param {number[] | null} [codes] answers that are sent as they are; none to leave the question out
   */
  setDirect(devices, codes) {
    devices.forEach(({ id }, i) => {
      if (codes) this.#direct.set(id, codes[i]);
      else this.#direct.delete(id);
    });
  }

  /** Whether every question was left out. */
  get isEmpty() {
    const { body, reports } = this.stored;
    return !body && !this.#direct.size && !Object.keys(reports).length;
  }

  /**
   * Fixes the bytes of the request.
   * @param {Device[]} [unasked] devices of which nothing is reported
   */
  async seal(unasked = []) {
    const { body = "" } = await this.#store.update((before) => {
      if (before.body) return before;
      const stored = { ...this.#withId(before), ...this.#parts.beside?.(before) };
      return { ...stored, body: this.#body(stored.submission, stored, unasked) };
    });
    return body;
  }

  /**
   * @param {string} receipt all that stays stored
   */
  async acknowledge(receipt) {
    await this.#store.update(({ submission }) => ({ submission, reports: {}, receipt }));
    this.#direct.clear();
  }

  /**
   * The server picks for an id. The browser may forget both, and another tab wait with its own; the page keeps them.
   * @param {StoredResponse} stored
   * @returns {StoredResponse & {submission: string}}
   */
  #withId(stored) {
    const known = stored.stratum ? stored : { ...stored, ...this.#parts.picking?.given?.() };
    return { ...known, submission: known.submission ?? newSubmissionId() };
  }

  /**
   * @param {Reports} drawn
   * @returns {Reports}
   */
  #allReports(drawn) {
    return { ...this.#parts.given?.reports, ...Object.fromEntries(this.#direct), ...drawn };
  }

  /**
   * @param {string} submission
   * @param {StoredResponse} stored
   * @param {Device[]} unasked
   */
  #body(submission, stored, unasked) {
    const { devices, digest } = this.#parameters;
    const reportOf = this.#allReports(stored.reports);
    const left = unasked.map(({ id }) => id);
    const reported = devices.filter((device) => isDrawn(device) && Object.hasOwn(reportOf, device.id) && !left.includes(device.id));
    const reports = Object.fromEntries(reported.map(({ id }) => [id, reportOf[id]]));
    const picked = reported.filter(({ stratum }) => stratum !== PAGE);
    const strata = Object.fromEntries(picked.map(({ id, stratum }) => [id, stratum]));
    const { own } = this.#parts;
    const fields = { digest, submission, reports, ...(picked.length && { strata }), ...(stored.orders && { orders: stored.orders }), ...(stored.texts && { texts: stored.texts }), ...(own && { [own.key.name]: own.key.of(stored) }) };
    return JSON.stringify(payload(fields, own?.key));
  }
}

/** @type {DrawOne} */
export function drawFresh(device, truth) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  const code = drawReport(/** @type {AnyDevice} */ (device), truth, (count) => chunks[chunks.push(systemBytes(count)) - 1]);
  // There is no one place of many draws.
  const whole = device.denominator ?? device.draws;
  const spot = whole ? fraction(whole, chunks) : null;
  return { code: /** @type {SentReport} */ (code), spot };
}

/**
 * @param {number} denominator
 * @param {Uint8Array[]} chunks the bytes of a draw
 * @returns {number} where in [0, 1) it fell
 */
function fraction(denominator, chunks) {
  let i = 0;
  return uniformBelow(denominator, () => chunks[i++]) / denominator;
}

/**
 * @param {Reports} reports
 * @param {Device[]} devices
 */
function completeReports(reports, devices) {
  const complete = devices.every(({ id }) => Object.hasOwn(reports, id));
  return complete ? devices.map(({ id }) => reports[id]) : undefined;
}

/**
 * @param {Record<string, unknown>} reports
 * @param {Device[]} drawn
 * @returns {boolean} whether there are all reports of each question or none
 */
export function areWhole(reports, drawn) {
  /** @param {Device} device */
  const has = ({ id }) => Object.hasOwn(reports, id);
  return drawn.every((x) => has(x) || !drawn.some((y) => has(y) && y.questions[0] === x.questions[0]));
}

/**
 * @param {SurveyParameters} parameters
 * @param {Partial<Parts>} [parts]
 * @returns {(stored: StoredResponse) => boolean} whether a stored value is a session of this survey
 */
export function fits(parameters, parts = {}) {
  const { devices, digest } = parameters;
  const drawn = devices.filter(isDrawn);
  /** @param {[string, unknown]} entry */
  const inSpace = ([id, report]) => drawn.some((device) => device.id === id && isReportOf(device, report));
  return (stored) => {
    const { submission, reports, body, receipt, refused } = stored;
    if (submission === undefined) return false;
    payload({ digest, submission, reports });
    const texts = [body, receipt, refused].every((text) => text === undefined || typeof text === "string");
    const complete = Object.entries(reports).every(inSpace) && areWhole(reports, drawn);
    return texts && complete && parts.own?.fits?.(stored) !== false;
  };
}
