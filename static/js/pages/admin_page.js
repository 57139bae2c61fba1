/** Pages about one survey: forms, buttons that send once, and fields to copy from. */

import { startErrors } from "../admin/errors.js";
import { askBeforeLeaving } from "../admin/unsaved.js";
import { findAll } from "../lib/find.js";
import { copyButtons, sendOnce } from "./admin_forms.js";

sendOnce(document);
copyButtons(document);
findAll(document, "form[data-typed]", HTMLFormElement).forEach(askBeforeLeaving);
startErrors(document);
