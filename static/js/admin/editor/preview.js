/** The open question as a respondent sees it, 360 px wide, as it was typed last. */

import { find } from "../../lib/find.js";

const WIDE = matchMedia("(min-width: 1180px)");

export class Preview {
  #address = "";

  /** @param {HTMLElement} editor */
  constructor(editor) {
    this.box = find(editor, "[data-preview]", HTMLDetailsElement);
    this.frame = find(this.box, "[data-preview-frame]", HTMLIFrameElement);
    this.none = find(this.box, "[data-preview-none]", HTMLElement);
    this.box.open = WIDE.matches;
    this.box.addEventListener("toggle", () => this.refresh());
  }

  /** @param {HTMLFormElement | null} form of the open question */
  show(form) {
    const address = form?.dataset.previewUrl ?? "";
    this.frame.hidden = address === "";
    this.none.hidden = address !== "";
    if (address === this.#address) return;
    this.#address = address;
    this.refresh();
  }

  refresh() {
    if (!this.#address || !this.box.open) return;
    // Replaced, so that Back leaves the page and not the preview.
    this.frame.contentWindow?.location.replace(this.#address);
  }
}
