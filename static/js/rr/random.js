import { RandomSourceError } from "./errors.js";

// A draw is rejected with probability below 1/2; so many in a row mean a broken source.
const MOST_REJECTIONS = 256;

/**
 * Random bytes from the operating system.
 * @param {number} count at most 65536
 */
export function systemBytes(count) {
  const source = globalThis.crypto;
  if (typeof source?.getRandomValues !== "function") {
    throw new RandomSourceError("no_generator", "crypto.getRandomValues");
  }
  try {
    return source.getRandomValues(new Uint8Array(count));
  } catch {
    throw new RandomSourceError("generator_failed", "crypto.getRandomValues");
  }
}

/** @param {number} value a safe integer >= 0 */
function bitLength(value) {
  const high = Math.floor(value / 2 ** 32);
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(value);
}

/**
 * @param {number} count
 * @param {RandomBytes} randomBytes
 */
function take(count, randomBytes) {
  if (count === 0) return new Uint8Array(0);
  const bytes = randomBytes(count);
  if (!(bytes instanceof Uint8Array) || bytes.length !== count) {
    throw new RandomSourceError("short_read", "randomBytes");
  }
  return bytes;
}

/**
 * A uniform integer in [0, n) by rejection: the low bits of whole bytes, big-endian.
 * @param {number} n from 1 to 2**53
 * @param {RandomBytes} randomBytes
 */
export function uniformBelow(n, randomBytes) {
  const valid = Number.isSafeInteger(n) || n === 2 ** 53;
  if (!valid || n < 1) throw new RandomSourceError("bad_range", "n");
  const bits = bitLength(n - 1);
  const count = Math.ceil(bits / 8);
  // The top byte is masked first: seven whole bytes are no safe integer.
  const topMask = 2 ** (bits - 8 * (count - 1)) - 1;
  for (let tries = 0; tries < MOST_REJECTIONS; tries += 1) {
    const bytes = take(count, randomBytes);
    let value = 0;
    for (let i = 0; i < count; i += 1) value = value * 256 + (i ? bytes[i] : bytes[i] & topMask);
    if (value < n) return value;
  }
  throw new RandomSourceError("stuck", "randomBytes");
}
