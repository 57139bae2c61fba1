import { untilAnswered } from "../lib/delivery.js";
import { gettext } from "../lib/i18n.js";
import { causeText } from "./sending.js";

/**
 * Asks the server something before the first question, until there is an answer.
 * @template Answer
 * @param {LookUp<Answer>} request
 * @returns {Promise<Answer>}
 * @throws {HttpError} when another try would not help
 */
export function lookUp({ url, body, read, say, again, nudge }) {
  /** @param {Progress} progress */
  const showProgress = (progress) => {
    if (progress.state === "sending") say(gettext("On its way …"), false);
    else say(`${causeText(progress.error, Math.ceil(progress.seconds))} ${again}`, true);
  };
  return untilAnswered(read, url, JSON.stringify(body), showProgress, nudge);
}
