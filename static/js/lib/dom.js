/** Elements without markup in strings and without inline styles. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [props] attributes, and listeners under "onclick" and the like
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/**
 * @template {Element} Kind
 * @param {Kind} node
 * @param {Properties} props
 * @param {Child[]} children
 * @returns {Kind}
 */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
  node.append(...children.filter(Boolean));
  return node;
}

/**
 * @param {string} id of an element that the page always has
 */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

let count = 0;

/** @returns {string} a unique id */
export const freshId = () => `x${(count += 1)}`;

/** @type {(name: string, onclick: () => unknown, look?: string) => HTMLButtonElement} */
export const button = (name, onclick, look = "") =>
  el("button", { type: "button", class: `button ${look}`.trim(), onclick }, name);

const region = document.getElementById("announcer");

/**
 * @param {string} sentence for screen readers
 */
export const announce = (sentence) => {
  if (region) region.textContent = sentence;
};

const survey = document.title;

/**
 * Sets the page's title.
 * @param {...(string | undefined)} words before the survey's own title
 */
export const setTitle = (...words) => (document.title = [...words, survey].filter(Boolean).join(" – "));

/** @returns {boolean} */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
