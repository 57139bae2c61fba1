/**
 * A press before the page's modules are there waits for them: a link that is followed at once, or a form
 * that the browser sends by itself, would take what was typed elsewhere with it. Not a module, because
 * it has to be there first; modules have run when the document says that it is whole.
 */
(() => {
  /** @type {HTMLElement | null} */
  let pressed = null;
  const listening = new AbortController();
  /** @param {MouseEvent} event */
  const hold = (event) => {
    const at = event.target instanceof Element ? event.target.closest("a[href], button") : null;
    if (!(at instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    pressed = at;
  };
  document.addEventListener("click", hold, { capture: true, signal: listening.signal });
  document.addEventListener("DOMContentLoaded", () => {
    listening.abort();
    pressed?.click();
  });
})();
