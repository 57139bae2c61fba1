/** Elements without markup in strings: text stays text, and no inline style is written. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * `props` are attributes, and listeners under "onclick" and the like.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

/**
 * @template {Element} Kind
 * @param {Kind} node
 * @param {Properties} props
 * @param {Child[]} children
 * @returns {Kind}
 */
function filled(node, props, children) {
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
 * An element that the page is never without.
 * @param {string} id
 */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

let count = 0;

/** An id that no other element has; it says nothing about its element. */
export const freshId = () => `x${(count += 1)}`;

/** @type {(name: string, onclick: () => unknown, look?: string) => HTMLButtonElement} */
export const button = (name, onclick, look = "") =>
  el("button", { type: "button", class: `button ${look}`.trim(), onclick }, name);

const region = document.getElementById("announcer");

/**
 * Says a sentence to screen readers.
 * @param {string} sentence
 */
export const announce = (sentence) => {
  if (region) region.textContent = sentence;
};

const survey = document.title;

/**
 * The page's title: where in the survey it is, or what went wrong; nothing for its beginning.
 * @param {...(string | undefined)} words
 */
export const entitle = (...words) => (document.title = [...words, survey].filter(Boolean).join(" – "));

/** Whether this person asked for less motion. */
export const stillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
