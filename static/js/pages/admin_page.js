/** Pages about one survey: buttons that send once, and fields to copy from. */

import { copyButtons, sendOnce } from "./admin_forms.js";

sendOnce(document);
copyButtons(document);
