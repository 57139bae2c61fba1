/**
 * Return codes, by which somebody comes back whom nobody knows: 18 random symbols and two that check
 * them, in Crockford's base 32, in groups of four. surveys/features/return_codes/section.py is the twin.
 */

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM_SYMBOLS = 18;
// A prime, so that no wrong symbol and no swap of two neighbours goes unseen.
const MODULUS = 1021;
const FORM = new RegExp(`^[${ALPHABET}]{4}(-[${ALPHABET}]{4}){4}$`);

/**
 * The two symbols that check the random ones: their number modulo 1021.
 * @param {string} symbols
 */
export function checkSymbols(symbols) {
  let number = 0;
  for (const symbol of symbols) number = (number * ALPHABET.length + ALPHABET.indexOf(symbol)) % MODULUS;
  return ALPHABET[Math.floor(number / ALPHABET.length)] + ALPHABET[number % ALPHABET.length];
}

/**
 * Whether a text is a code in the one form that is sent.
 * @param {unknown} text
 * @returns {text is string}
 */
export function isReturnCode(text) {
  if (typeof text !== "string" || !FORM.test(text)) return false;
  const symbols = text.replaceAll("-", "");
  return symbols.slice(RANDOM_SYMBOLS) === checkSymbols(symbols.slice(0, RANDOM_SYMBOLS));
}

/**
 * A code as people type it: in any case, with spaces or none, O for 0, I and L for 1.
 * @param {string} typed
 * @returns {string | null} in the form that is sent; null where it is none
 */
export function readReturnCode(typed) {
  const symbols = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const code = grouped(symbols);
  return isReturnCode(code) ? code : null;
}

/**
 * @param {RandomBytes} randomBytes of each byte the five low bits are a symbol
 */
export function newReturnCode(randomBytes) {
  const bytes = randomBytes(RANDOM_SYMBOLS) ?? [];
  const symbols = Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
  return grouped(symbols + checkSymbols(symbols));
}

/** @param {string} symbols */
const grouped = (symbols) => symbols.match(/.{1,4}/gu)?.join("-") ?? "";
