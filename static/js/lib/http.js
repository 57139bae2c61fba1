/** One JSON request and its typed failures; what to say about them is the page's business. */

/** No answer came: offline, blocked, or too slow. */
export class ConnectionError extends Error {}

/** The server answered, and not with success. */
export class HttpError extends Error {
  /**
   * @param {number} status
   * @param {number} retryAfter seconds, 0 when not said
   * @param {{field: string, code: string, message: string}[]} errors
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
 * Posts a body as it is. No cookie goes along, so a signed-in browser is not recognised by it.
 * @param {string} url
 * @param {string} body JSON
 * @returns {Promise<any>} the parsed answer
 * @throws {ConnectionError | HttpError}
 */
export async function postJson(url, body) {
  const response = await attempt(url, body);
  const answer = await parsed(response);
  if (!response.ok) throw new HttpError(response.status, wait(response), answer?.errors ?? []);
  if (answer === null) throw new ConnectionError("the answer did not arrive whole");
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
