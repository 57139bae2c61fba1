/** Elements of a page by selector and type. */

/**
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind | null} the first, or null where there is none of this kind
 */
export function seek(root, selector, kind) {
  const node = root.querySelector(selector);
  return node instanceof kind ? node : null;
}

/**
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind} the first, which the page always has
 */
export function find(root, selector, kind) {
  const node = seek(root, selector, kind);
  if (!node) throw new Error(`${kind.name} ${selector} is missing`);
  return node;
}

/**
 * @template {Element} Kind
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind[]} all of this kind
 */
export function findAll(root, selector, kind) {
  return [...root.querySelectorAll(selector)].flatMap((node) => (node instanceof kind ? [node] : []));
}

/**
 * @template {Element} Kind
 * @param {EventTarget | null} start where an event happened, or an element
 * @param {string} selector
 * @param {new () => Kind} kind
 * @returns {Kind | null} the nearest around it, itself included
 */
export function around(start, selector, kind) {
  const node = start instanceof Element ? start.closest(selector) : null;
  return node instanceof kind ? node : null;
}

/**
 * @param {string} id of an element with JSON that the server put into the page
 * @returns {any} typed by the declaration beside the call
 */
export const read = (id) => JSON.parse(find(document, `#${id}`, HTMLElement).textContent);
