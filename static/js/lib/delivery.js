import { systemBytes, uniformBelow } from "../rr/random.js";
import { pause } from "./late.js";

/** No answer came: offline, blocked, or too slow. */
export class ConnectionError extends Error {}

/** The server answered, and not with success. */
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

const PATIENCE_MS = 20_000;

/**
 * No cookie goes along, so a signed-in browser is not recognised by it.
 * @param {string} url
 * @param {string} body
 */
async function postJson(url, body) {
  const response = await attempt(url, body);
  const answer = await parsed(response);
  if (!response.ok) throw new HttpError(response.status, wait(response), answer?.errors ?? []);
  // A portal of the network may answer in the place of the server.
  if (typeof answer?.receipt !== "string") throw new ConnectionError("not an answer");
  return answer.receipt;
}

/**
 * @param {string} url
 * @param {string} body
 */
async function attempt(url, body) {
  /** @type {RequestInit} */
  const request = {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json" },
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    keepalive: true,
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  try {
    return await fetch(url, request);
  } catch {
    throw new ConnectionError("no answer");
  }
}

/**
 * @param {Response} response
 * @returns {Promise<{receipt?: unknown, errors?: FieldProblem[]} | null>}
 */
async function parsed(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** @param {Response} response */
function wait(response) {
  const seconds = Number(response.headers.get("Retry-After"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

const LONGEST_PAUSE = 60;

/**
 * Sends one sealed request until it is answered; every try carries the same bytes. Throws an
 * HttpError when trying again would not help; the "now" event of `nudge` ends a pause early.
 * @param {string} url
 * @param {string} body
 * @param {(progress: Progress) => void} tell
 * @param {EventTarget} nudge
 * @returns {Promise<string>} the receipt
 */
export async function deliver(url, body, tell, nudge) {
  for (let tries = 0; ; tries += 1) {
    tell({ state: "sending" });
    try {
      return await postJson(url, body);
    } catch (error) {
      if (!passing(error)) throw error;
      const seconds = pauseAfter(error, tries);
      tell({ state: "waiting", error, seconds });
      await pause(seconds * 1000, nudge);
    }
  }
}

/**
 * @param {unknown} error
 * @returns {error is DeliveryProblem}
 */
function passing(error) {
  if (!(error instanceof HttpError)) return error instanceof ConnectionError;
  return [408, 429].includes(error.status) || error.status >= 500;
}

/**
 * Doubling, and spread out, so that a thousand browsers do not return in the same second.
 * @param {DeliveryProblem} error
 * @param {number} tries
 */
function pauseAfter(error, tries) {
  const steps = Math.min(2 ** (tries + 1), LONGEST_PAUSE);
  const asked = error instanceof HttpError ? error.retryAfter : 0;
  return Math.max(asked, steps) + uniformBelow(1000, systemBytes) / 1000;
}
