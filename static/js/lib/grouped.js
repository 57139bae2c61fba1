// Runs modules that are served together in one file, a group: config/groups.py makes such files and writes `$use`
// for an import and `$later` for an import(). The page names each file by a link with its hash.

/** @type {Map<string, MakeModule>} */
const makers = new Map();
/** @type {Map<string, unknown>} */
const made = new Map();
/** @type {Map<string, Promise<void>>} */
const groups = new Map();
/** @type {Record<string, string>} */
const translated = {};

/**
 * Begins with the group that brings this module, and with one module of it.
 * @param {string} group
 * @param {Record<string, MakeModule>} modules
 * @param {Record<string, string>} texts in the language of the page; none in that of the sources
 * @param {string} name
 */
export function start(group, modules, texts, name) {
  groups.set(group, Promise.resolve());
  globalThis.gettext = (text) => translated[text] ?? text;
  add(modules, texts);
  use(name);
}

/**
 * @param {Record<string, MakeModule>} modules
 * @param {Record<string, string>} texts
 */
function add(modules, texts) {
  Object.assign(translated, texts);
  for (const [name, make] of Object.entries(modules)) makers.set(name, make);
}

/**
 * @param {string} name of a module whose group is here
 * @returns {any} what it exports; it is made once
 */
function use(name) {
  if (!made.has(name)) made.set(name, /** @type {MakeModule} */ (makers.get(name))(use, later));
  return made.get(name);
}

/**
 * Makes every module anew, with the texts of another language.
 * @param {HTMLLinkElement} link to the file of all texts
 * @returns {Promise<() => typeof use>} does it, and gives what makes a module
 */
export async function texted(link) {
  const { texts } = await load(link);
  return () => {
    Object.keys(translated).forEach((text) => delete translated[text]);
    Object.assign(translated, texts);
    made.clear();
    return use;
  };
}

/**
 * @param {string} group that the page names
 * @param {string} name of one of its modules
 * @returns {Promise<any>} what it exports
 */
export async function later(group, name) {
  await fetched(group);
  return use(name);
}

/**
 * Loads a group and all that it needs, side by side.
 * @param {string} group
 * @returns {Promise<void>}
 */
export function fetched(group) {
  const known = groups.get(group);
  if (known) return known;
  const coming = arrive(group);
  groups.set(group, coming);
  // What failed is tried again by whoever needs it next.
  coming.catch(() => groups.delete(group));
  return coming;
}

/** @param {string} group */
async function arrive(group) {
  /** @type {HTMLLinkElement | null} */
  const link = document.querySelector(`link[data-group="${group}"]`);
  // Without a hash in the page no module runs.
  if (!link) throw new Error(group);
  const needs = (link.dataset.needs ?? "").split(" ").filter(Boolean);
  const [{ modules, texts }] = await Promise.all([load(link), ...needs.map(fetched)]);
  add(modules, texts);
}

/**
 * As bytes first: a browser never retries a module that failed to load. A link with a `rel` came with the page.
 * @param {HTMLLinkElement} link
 * @returns {Promise<{modules: Record<string, MakeModule>, texts: Record<string, string>}>}
 */
async function load(link) {
  if (!link.rel) {
    const answer = await fetch(link.href, { integrity: link.integrity });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    await answer.arrayBuffer();
    link.rel = "modulepreload";
  }
  return import(link.href);
}
