/** A process that competes to write a session: one JSON order per line in, one JSON answer per line out. */

import { jsonLines } from "../../src/base/json-lines.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import type { LiveSession } from "../../src/runtime/live-session.ts";
import { openSession } from "../../src/runtime/open-session.ts";
import { ownOwner } from "../../src/session/owner.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";

const [database = "", workspace = ""] = process.argv.slice(2);
const store = await storeAt(database);
const setup = {
  store,
  workspace,
  model: scriptedModel([]),
  tools: [],
  mode: "ask" as const,
  rules: [],
  interactive: true,
};
let session: LiveSession | undefined;

async function obey({
  order,
  id = "",
  at = 0,
}: {
  order: string;
  id?: string;
  at?: number;
}): Promise<unknown> {
  switch (order) {
    case "open":
    case "take-over": {
      const opened = await openSession(setup, { resume: id, takeOver: order === "take-over" });
      if (opened.ok) session = opened.value;
      return opened.ok ? "ok" : opened.problem;
    }
    case "write": {
      const outcome = await session?.command({ type: "rename", title: id });
      return outcome?.ok === true ? "ok" : outcome?.problem;
    }
    case "claim":
      while (Date.now() < at); // both processes at the same moment
      return store.claim(id, { owner: ownOwner() });
    case "close":
      await session?.close();
      return "ok";
    default:
      throw new Error(`What is ${order}?`);
  }
}

for await (const line of jsonLines(process.stdin)) {
  const said = await obey(JSON.parse(line)).catch((error: Error) => `${error.name}: ${error.message}`);
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
await store.close();
