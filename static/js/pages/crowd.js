/** The page of the crowd: copying of what was computed. */

import { seek } from "../lib/find.js";
import { offerCopies } from "../results/copying.js";

const found = seek(document, "#found", HTMLElement);
if (found) offerCopies(found);
