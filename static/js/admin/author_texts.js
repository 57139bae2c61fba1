/**
 * Texts that authors type or paste, in the form in which they are stored: surveys/author_texts.py does the same,
 * with the reasons. Both run tests/vectors/author_texts.json.
 */

const BREAKS = /[\t-\r\u001c-\u001f\u0085\u2028\u2029]/gu;
const UNSEEN =
  /[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e001f}\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu;
const JOINERS = "\\u034f\\u200c\\u200d";
const SELECTORS = "\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}";
const SHAPING = `${JOINERS}${SELECTORS}\\u{e0020}-\\u{e007f}`;
const SPACES = " \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000";
const AT_START = new RegExp(`(^|[${SPACES}])[${SHAPING}]+`, "gu");
const AT_END = new RegExp(`[${JOINERS}]+($|[${SPACES}])`, "gu");
const ENDS = new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, "gu");
const LINE_END = /\r\n|\n|\r/;
const ANY_SPACES = new RegExp(`[${SPACES}\\u2800]+`, "gu");
const SHAPED = new RegExp(`[${JOINERS}${SELECTORS}]`, "gu");

/**
 * A text of one line as it is stored.
 * @param {string} text
 * @returns {string} empty where nothing of it can be seen
 */
export function oneLine(text) {
  const seen = text.replace(/\p{Surrogate}/gu, "\ufffd").replace(BREAKS, " ").replace(UNSEEN, "");
  const composed = seen.replace(AT_START, "$1").replace(AT_END, "$1").normalize("NFC");
  const shown = composed.replace(SHAPED, "").replace(ANY_SPACES, "");
  return shown ? composed.replace(/ {2,}/gu, " ").replace(ENDS, "") : "";
}

/**
 * A text of several lines as it is stored.
 * @param {string} text
 */
export const paragraphs = (text) => text.split(LINE_END).map(oneLine).join("\n").replace(/^\n+|\n+$/g, "");
