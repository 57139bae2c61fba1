/** Pages about one survey: forms, buttons that send once, and fields to copy from. */

import { startErrors } from "../admin/errors.js";
import { fillKept } from "../admin/kept.js";
import { askBeforeLeaving } from "../admin/unsaved.js";
import { findAll } from "../lib/find.js";
import { copyButtons, sendOnce } from "./admin_forms.js";

sendOnce(document);
copyButtons(document);
for (const form of findAll(document, "form[data-typed]", HTMLFormElement)) {
  askBeforeLeaving(form);
  fillKept(document, form);
}
startErrors(document);
