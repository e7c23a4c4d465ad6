/** A session that works until it is killed: `node worker.ts <database> <root>`. */

import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { scriptedModel, type ScriptedAnswer } from "../../src/providers/scripted-model.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";
import { testSession } from "../../src/testing/session.ts";
import { workspaceAt } from "../support/workspace-at.ts";
import { goOn } from "./answering.ts";
import { hashOf, type Line } from "./plan.ts";

const [database = "", root = ""] = process.argv.slice(2);
const say = (line: Line): void => void writeSync(1, `${JSON.stringify(line)}\n`);

/** Increments the counter, then appends a line with a command, over and over. */
function nextAnswer(round: number): ScriptedAnswer {
  const count = Number(readFileSync(join(root, "count.txt"), "utf8"));
  const [old, fresh] = [`${count}\n`, `${count + 1}\n`];
  const edit = { call: "edit_file", with: { path: "count.txt", old, new: fresh } };
  const step = round % 3;
  if (step === 1) return [{ say: `The count is ${count}. `.repeat(20) }, edit];
  if (step === 2) return [{ call: "run_command", with: { command: `echo ${count} >>log.txt` } }];
  return [{ think: "That was all of it." }, { say: "Counted." }];
}

const store = await storeAt(database);
const [summary] = await store.list();
const workspace = workspaceAt(root);
const { session, ask } = await testSession(
  scriptedModel((_prompt, round) => nextAnswer(round), { pieces: 3 }),
  { store, workspace, mode: "accept-edits", ...(summary ? { resume: summary.id } : {}) },
);
for (const entry of session.log.entries.slice(-1)) say({ told: { seq: entry.seq, hash: hashOf(entry) } });
session.log.listen((event) => {
  if ("seq" in event) say({ told: { seq: event.seq, hash: hashOf(event) } });
});
await goOn(session);
for (;;) await ask("Count on.");
