/** Says a sentence to screen readers; the region is part of the page from the start. */

const region = document.getElementById("announcer");

/** @param {string} sentence */
export function announce(sentence) {
  region.textContent = sentence;
}
