import { systemBytes, uniformBelow } from "../rr/random.js";
import { ConnectionError, postJson } from "./http.js";

/** Sending one sealed request until it is answered; every try carries the same bytes. */

const LONGEST_PAUSE = 60;

/** @typedef {{state: "sending"} | {state: "waiting", error: Error, seconds: number}} Progress */

/**
 * @param {string} url
 * @param {string} body
 * @param {(progress: Progress) => void} tell
 * @param {EventTarget} nudge its "now" event ends a pause early
 * @returns {Promise<{receipt: string}>}
 * @throws {import("./http.js").HttpError} when trying again would not help
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
      await pause(seconds, nudge);
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

function pause(seconds, nudge) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      nudge.removeEventListener("now", done);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    addEventListener("online", done);
    nudge.addEventListener("now", done);
  });
}
