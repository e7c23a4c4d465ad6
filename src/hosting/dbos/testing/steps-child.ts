/**
 * Steps of DBOS in a process of its own, as it allows one a process: `node steps-child.ts DATABASE FLOWS STEPS`. Prints how many a second, and
 * what one costs in milliseconds of this processor.
 */

import { DBOS } from "@dbos-inc/dbos-sdk";

const [database = "", flows = "1", steps = "1"] = process.argv.slice(2);
DBOS.setConfig({ name: "steps", systemDatabaseUrl: database, systemDatabasePoolSize: 16, logLevel: "error" });
const workflow = DBOS.registerWorkflow(
  async () => {
    for (let at = 0; at < Number(steps); at += 1) await DBOS.runStep(async () => at);
  },
  { name: "steps" },
);
await DBOS.launch();
await workflow(); // what is done once is not counted
const [begun, before] = [performance.now(), process.cpuUsage()];
const handles = await Promise.all(
  Array.from({ length: Number(flows) }, () => DBOS.startWorkflow(workflow)()),
);
await Promise.all(handles.map((handle) => handle.getResult()));
const { user, system } = process.cpuUsage(before);
const all = Number(flows) * Number(steps);
const perSecond = all / ((performance.now() - begun) / 1_000);
process.stdout.write(JSON.stringify({ perSecond, processorMs: (user + system) / 1_000 / all }));
await DBOS.shutdown();
