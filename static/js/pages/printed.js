/** The page of the printed summary, which waits until a worker has made it. */

import { waitForWorker } from "../results/wait.js";

waitForWorker();
