/**
 * Where a response waits: under the digest of its survey, in this browser or, where that is not
 * allowed, in memory. It has room for reports and for nothing else.
 * `reports` are what was drawn, never a true answer; `body` is the sealed request until it is
 * acknowledged, `receipt` what came back.
 */

const SETTLING_MS = 100;
/** @type {Kept} */
const EMPTY = Object.freeze({ reports: Object.freeze({}) });

/**
 * Forgets with the page: for the preview and the practice round.
 * @returns {Store}
 */
export function memoryStore() {
  let kept = EMPTY;
  return {
    read: () => kept,
    update: async (change) => (kept = change(kept)),
    lasting: () => false,
    watch: () => {},
  };
}

/**
 * Shared by all tabs; in memory from the first refusal on. `valid` says whether what was found fits.
 * @param {string} digest
 * @param {(kept: Kept) => boolean} valid
 * @returns {Store}
 */
export function browserStore(digest, valid) {
  const key = `candor:${digest}`;
  const memory = memoryStore();
  let lasting = writable(key);
  const read = () => (lasting ? found(key, valid) : memory.read());
  /** @param {Kept} kept */
  const write = async (kept) => {
    await memory.update(() => kept);
    try {
      if (lasting) localStorage.setItem(key, JSON.stringify(kept));
    } catch {
      lasting = false;
    }
    // Another tab sees the write a moment later; until then it must not read and draw.
    if (lasting) await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    return read();
  };
  return {
    read,
    update: (change) => alone(key, () => write(change(read()))),
    lasting: () => lasting,
    watch: (seen) => addEventListener("storage", (event) => event.key === key && seen()),
  };
}

/** @param {string} key */
function writable(key) {
  try {
    localStorage.setItem(`${key}:probe`, "1");
    localStorage.removeItem(`${key}:probe`);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} key
 * @param {(kept: Kept) => boolean} valid
 * @returns {Kept}
 */
function found(key, valid) {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null");
    return kept !== null && valid(kept) ? kept : EMPTY;
  } catch {
    return EMPTY;
  }
}

/**
 * Two tabs must not both find nothing and both draw.
 * @param {string} key
 * @param {() => Promise<Kept>} work
 */
async function alone(key, work) {
  let begun = false;
  const once = () => {
    begun = true;
    return work();
  };
  try {
    return await navigator.locks.request(key, once);
  } catch (error) {
    // No locks here (an old browser, a sandboxed frame): the work itself has not begun.
    if (begun) throw error;
    return work();
  }
}
