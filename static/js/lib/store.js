/**
 * Stores a response under the digest of its survey, in this browser or, where that is not allowed,
 * in memory: drawn reports, the sealed request until it is acknowledged, then the receipt.
 */

const SETTLING_MS = 100;
// The address of a survey's page, and in it the path of the site, which is nothing at the root of a name.
const PAGE = /^(\/.*)?\/s\/[^/]+\/$/;
/** @type {StoredResponse} */
const EMPTY = Object.freeze({ reports: Object.freeze({}) });

/**
 * @returns {Store} gone with the page: for the preview and the practice
 */
export function memoryStore() {
  let stored = EMPTY;
  return {
    read: () => stored,
    update: async (change) => (stored = change(stored)),
    lasting: () => false,
    watch: () => {},
  };
}

/**
 * Sites below different paths of one name share their storage, and one may hold a copy of the other's surveys. The
 * path is read from the address, as the server reads it, and not from the page: what a page says could change from
 * load to load, and make the browser draw again.
 * @param {string} digest
 * @returns {string} the name under which a survey is kept, and with which begins whatever else is kept of it
 */
export function nameOf(digest) {
  let path = location.pathname;
  try {
    path = decodeURIComponent(path);
  } catch {
    // No server of ours answers there.
  }
  return `candor:${PAGE.exec(path.replace(/\/+/g, "/"))?.[1] ?? ""}${digest}`;
}

/**
 * @param {string} digest
 * @param {(stored: StoredResponse) => boolean} valid
 * @returns {Store} shared by all tabs; in memory from the first failed write on
 */
export function browserStore(digest, valid) {
  const key = nameOf(digest);
  const memory = memoryStore();
  let lasting = writable(key);
  const read = () => (lasting ? readStored(key, valid) : memory.read());
  /** @param {StoredResponse} stored */
  const write = async (stored) => {
    await memory.update(() => stored);
    try {
      if (lasting) localStorage.setItem(key, JSON.stringify(stored));
    } catch {
      lasting = false;
    }
    // Another tab sees the write a moment later; until then it must not read and draw.
    if (lasting) await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    return read();
  };
  return {
    read,
    update: (change) => withLock(key, () => write(change(read()))),
    lasting: () => lasting,
    watch: (onChange) => addEventListener("storage", (event) => event.key === key && onChange()),
  };
}

/**
 * @param {string} digest
 * @returns {boolean} whether this browser keeps anything of a survey
 */
export function isKept(digest) {
  try {
    return localStorage.getItem(nameOf(digest)) !== null;
  } catch {
    return false;
  }
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
 * @param {(stored: StoredResponse) => boolean} valid
 * @returns {StoredResponse}
 */
function readStored(key, valid) {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "null");
    return stored !== null && valid(stored) ? stored : EMPTY;
  } catch {
    return EMPTY;
  }
}

/**
 * Two tabs must not both draw.
 * @param {string} key
 * @param {() => Promise<StoredResponse>} work
 */
async function withLock(key, work) {
  let started = false;
  const run = () => {
    started = true;
    return work();
  };
  try {
    return await navigator.locks.request(key, run);
  } catch (error) {
    // An old browser or a sandboxed frame has no locks: the work has not started.
    if (started) throw error;
    return work();
  }
}
