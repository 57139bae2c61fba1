import { systemBytes, uniformBelow } from "../rr/random.js";
import { pause } from "./late.js";

/** No answer came: offline, blocked, or too slow. */
export class ConnectionError extends Error {}

/** The server answered with an error. */
export class HttpError extends Error {
  /**
   * @param {number} status
   * @param {number} retryAfter in seconds; 0 where the server does not say
   * @param {FieldProblem[]} errors
   */
  constructor(status, retryAfter, errors) {
    super(`HTTP ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
    this.errors = errors;
  }
}

const TIMEOUT_MS = 20_000;

/**
 * @param {string} url
 * @param {string} body
 * @returns {Promise<Record<string, unknown>>} the answer
 * @throws {DeliveryProblem}
 */
export async function postJson(url, body) {
  const headers = { "Content-Type": "application/json" };
  return answerTo(url, { method: "POST", body, headers, cache: "no-store", keepalive: true });
}

/**
 * @param {string} url
 * @param {RequestInit} [options] a GET without any
 * @returns {Promise<Record<string, any>>} the answer
 * @throws {DeliveryProblem}
 */
export async function answerTo(url, options) {
  const response = await attempt(url, options);
  const answer = await parseJson(response);
  if (!response.ok) throw new HttpError(response.status, retryAfter(response), answer?.errors ?? []);
  // A captive portal may answer instead of the server.
  if (!answer) throw new ConnectionError("not an answer");
  return answer;
}

/** @param {Record<string, unknown>} answer */
function receiptIn({ receipt }) {
  if (typeof receipt !== "string") throw new ConnectionError("not an answer");
  return receipt;
}

/**
 * @param {string} url
 * @param {RequestInit} [options]
 */
async function attempt(url, options) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    // A signed-in browser must not be recognised.
    return await fetch(url, { ...options, credentials: "omit", redirect: "error", signal });
  } catch {
    throw new ConnectionError("no answer");
  }
}

/**
 * @param {Response} response
 * @returns {Promise<Record<string, any> | null>}
 */
async function parseJson(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** @param {Response} response */
function retryAfter(response) {
  const seconds = Number(response.headers.get("Retry-After"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

const LONGEST_PAUSE = 60;

/**
 * Sends one sealed response.
 * @type {(url: string, body: string, onProgress: (progress: Progress) => void, nudge: EventTarget) => Promise<string>}
 */
export const deliver = (...request) => untilAnswered(receiptIn, ...request);

/**
 * Sends one request until it is answered; every try carries the same bytes.
 * @template Answer
 * @param {(answer: Record<string, unknown>) => Answer} read
 * @param {string} url
 * @param {string} body
 * @param {(progress: Progress) => void} onProgress
 * @param {EventTarget} nudge its "now" event ends a pause early
 * @returns {Promise<Answer>}
 * @throws {HttpError} when another try would not help
 */
export async function untilAnswered(read, url, body, onProgress, nudge) {
  for (let tries = 0; ; tries += 1) {
    onProgress({ state: "sending" });
    try {
      return read(await postJson(url, body));
    } catch (error) {
      if (!isTransient(error)) throw error;
      const seconds = pauseAfter(error, tries);
      onProgress({ state: "waiting", error, seconds });
      await pause(seconds * 1000, nudge);
    }
  }
}

/**
 * @param {unknown} error
 * @returns {error is DeliveryProblem}
 */
function isTransient(error) {
  if (!(error instanceof HttpError)) return error instanceof ConnectionError;
  return [408, 429].includes(error.status) || error.status >= 500;
}

/**
 * Exponential backoff with jitter.
 * @param {DeliveryProblem} error
 * @param {number} tries
 */
function pauseAfter(error, tries) {
  const backoff = Math.min(2 ** (tries + 1), LONGEST_PAUSE);
  const requested = error instanceof HttpError ? error.retryAfter : 0;
  return Math.max(requested, backoff) + uniformBelow(1000, systemBytes) / 1000;
}
