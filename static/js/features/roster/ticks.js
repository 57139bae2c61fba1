/** The ticks of a list of names: in the boxes themselves, and what was ticked before while it can be undone. */
export class Ticks {
  #boxes;
  #none;
  /** @type {HTMLInputElement[] | null} */
  #before = null;
  /** @type {HTMLInputElement[]} */
  #last = [];

  /**
   * @param {HTMLInputElement[]} boxes
   * @param {HTMLInputElement} none excludes them
   */
  constructor(boxes, none) {
    this.#boxes = boxes;
    this.#none = none;
  }

  get count() {
    return this.#ticked().length;
  }

  get isNone() {
    return this.#none.checked;
  }

  get canUndo() {
    return this.#before !== null;
  }

  #ticked() {
    return this.#boxes.filter((x) => x.checked);
  }

  /** @param {HTMLInputElement[]} ticked */
  #set(ticked) {
    this.#boxes.forEach((x) => (x.checked = false));
    ticked.forEach((x) => (x.checked = true));
    this.#last = ticked;
  }

  /** @param {boolean} ofNone whether it was the box that excludes all others */
  changed(ofNone) {
    if (ofNone && this.isNone) {
      this.#before = this.#last.length > 0 ? this.#last : null;
      this.#set([]);
      return;
    }
    if (!ofNone) this.#none.checked = false;
    this.#before = null;
    this.#last = this.#ticked();
  }

  /** Clears all, or takes that back. */
  swap() {
    const before = this.#before;
    this.#before = before ? null : this.#last;
    this.#none.checked = false;
    this.#set(before ?? []);
  }

  /** Keeps no trace of any tick. */
  forget() {
    this.#before = null;
    this.#none.checked = false;
    this.#set([]);
  }
}
