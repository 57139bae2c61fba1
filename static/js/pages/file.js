/** The page of a file, which waits until a worker has made it. */

import { waitForWorker } from "../results/wait.js";

waitForWorker();
