/** A second Toolwright process that runs one line in the sandbox until it is ended. */

import { startContained } from "./contained-line.ts";

const [workspace = "", stateDir = "", line = ""] = process.argv.slice(2);
const { ended } = await startContained({ workspace, stateDir }, line);
process.stdout.write("ready\n");
await ended;
