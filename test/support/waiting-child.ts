/** One process of a turn that waits for a person: it asks, only reads, replies or continues; then it is killed. */

import { storeAt } from "../../src/session/testing/store-at.ts";
import { testSession } from "../../src/testing/session.ts";
import { modelOf, waitings } from "./waiting-script.ts";
import { workspaceAt } from "./workspace-at.ts";

const [database = "", root = "", name = "", part = "", killAt = "0"] = process.argv.slice(2);
const waiting = waitings[name];
if (!waiting) throw new Error(`There is no waiting "${name}".`);

const store = await storeAt(database);
const [known] = await store.list();
let heard = (): number => 0;
const { session } = await testSession(
  modelOf(waiting, () => heard()),
  {
    store,
    workspace: workspaceAt(root),
    mode: waiting.mode,
    ...(known ? { resume: known.id } : {}),
  },
);
heard = () => session.state.turns.at(-1)?.answers ?? 0;
const kill = (): void => void process.kill(process.pid, "SIGKILL");
session.log.listen((event) => {
  if ("seq" in event && event.seq === Number(killAt)) kill();
});

const outcome = await session.command(
  part === "ask"
    ? { type: "send", content: [{ type: "text", text: "Do it." }] }
    : part === "reply"
      ? waiting.reply(session.state)
      : { type: "go-on" },
);
if (!outcome.ok) throw new Error(outcome.problem);
await session.idle();
process.stdout.write(`${session.state.status} ${session.state.seq}\n`, kill);
