import { systemBytes, uniformBelow } from "../rr/random.js";
import { pause } from "./late.js";

/** No answer came: offline, blocked, or too slow. */
export class ConnectionError extends Error {}

/** The server answered, and not with success. */
export class HttpError extends Error {
  constructor(status, retryAfter, errors) {
    super(`HTTP ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
    this.errors = errors;
  }
}

const PATIENCE_MS = 20_000;

// No cookie goes along, so a signed-in browser is not recognised by it.
async function postJson(url, body) {
  const response = await attempt(url, body);
  const answer = await parsed(response);
  if (!response.ok) throw new HttpError(response.status, wait(response), answer?.errors ?? []);
  // A portal of the network may answer in the place of the server.
  if (typeof answer?.receipt !== "string") throw new ConnectionError("not an answer");
  return answer;
}

async function attempt(url, body) {
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

async function parsed(response) {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function wait(response) {
  const seconds = Number(response.headers.get("Retry-After"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

const LONGEST_PAUSE = 60;

/**
 * Sends one sealed request until it is answered; every try carries the same bytes. Throws an
 * HttpError when trying again would not help; the "now" event of `nudge` ends a pause early.
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

function passing(error) {
  return error instanceof ConnectionError || [408, 429].includes(error.status) || error.status >= 500;
}

// Doubling, and spread out, so that a thousand browsers do not return in the same second.
function pauseAfter(error, tries) {
  const steps = Math.min(2 ** (tries + 1), LONGEST_PAUSE);
  return Math.max(error.retryAfter ?? 0, steps) + uniformBelow(1000, systemBytes) / 1000;
}
