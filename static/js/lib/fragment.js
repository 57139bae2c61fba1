/**
 * What a link says behind its #, which no request carries: `key=value`, joined by `&`, both percent-encoded.
 * @param {string} fragment with or without its #
 * @returns {Map<string, string>} by key; of a key that occurs twice its first value, and nothing of what cannot be decoded
 */
export function readFragment(fragment) {
  /** @type {Map<string, string>} */
  const values = new Map();
  for (const pair of fragment.replace(/^#/, "").split("&")) {
    const [key, ...rest] = pair.split("=");
    try {
      const [name, value] = [decodeURIComponent(key), decodeURIComponent(rest.join("="))];
      if (name && rest.length && !values.has(name)) values.set(name, value);
    } catch {
      // No percent-encoding.
    }
  }
  return values;
}
