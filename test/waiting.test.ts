/** A turn that waits for the user survives every process: another process answers it, and it continues. */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Entry } from "../src/protocol/facts.ts";
import { step } from "../src/protocol/fold.ts";
import { emptyState } from "../src/protocol/session-state.ts";
import { storeAt } from "../src/session/testing/store-at.ts";
import { scale } from "../src/testing/scale.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";
import { waitings } from "./support/waiting-script.ts";

const run = promisify(execFile);
const child = join(import.meta.dirname, "support/waiting-child.ts");

type Part = "ask" | "go-on" | "reply";

/** A database, a workspace and the processes that use them in turn; each ends by SIGKILL. */
async function place(name: string) {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-waiting-"));
  const workspace = await temporaryWorkspace({});
  const database = join(directory, "sessions.db");
  return {
    workspace,
    async process(part: Part, killAt = 0): Promise<string> {
      const words = [child, database, workspace.root, name, part, String(killAt)];
      const ended = await run(process.execPath, words).catch((error) => error);
      expect(ended.signal, ended.stderr).toBe("SIGKILL");
      return ended.stdout.trim();
    },
    async facts(): Promise<Entry[]> {
      const store = await storeAt(database);
      const [session] = await store.list();
      const entries = await store.read(session?.id ?? "", 0);
      await store.close();
      return [...entries];
    },
    async remove() {
      await workspace.remove();
      await rm(directory, { recursive: true });
    },
  };
}

/** Leaves out times and ids, which differ between two runs. */
const story = (facts: readonly Entry[]): string[] =>
  facts.map((fact) => ("content" in fact ? `${fact.type} ${JSON.stringify(fact.content)}` : fact.type));

const writes = (facts: readonly Entry[]): number =>
  facts.filter((fact) => fact.type === "change-applied" && fact.changes.length > 0).length;

test.each(Object.keys(waitings))(
  "waiting for %s: after two kills a third process answers, and the turn completes",
  async (name) => {
    const here = await place(name);
    expect(await here.process("ask")).toMatch(/^running/u);
    const waitingFacts = await here.facts();
    expect(await here.process("go-on")).toMatch(/^running/u);
    expect((await here.facts()).length).toBe(waitingFacts.length); // the question is not asked again
    expect(await here.process("reply")).toMatch(/^idle/u);
    const facts = await here.facts();
    expect(facts.slice(0, waitingFacts.length)).toEqual(waitingFacts);
    expect(facts.at(-1)).toMatchObject({ type: "turn-end", stopped: "done", text: "All is done." });
    expect(facts.filter(({ type }) => type === "user-message").length).toBe(1);
    const isWritten = !name.includes("refused") && !name.includes("rejected");
    expect(writes(facts)).toBe(isWritten ? 1 : 0);
    expect(await here.workspace.files()).toEqual(isWritten ? ["a.txt"] : []);
    await here.remove();
  },
);

/** Only every so many facts are tried; all of them with TOOLWRIGHT_RUNS=5. */
const apart = Math.max(1, Math.round(5 / scale));

test("after a kill at any fact while a plan is answered, the answer holds and the turn ends the same", async () => {
  const name = "a plan, changed and approved";
  const whole = await place(name);
  await whole.process("ask");
  const from = (await whole.facts()).length;
  await whole.process("reply");
  const expected = await whole.facts();
  for (let at = from + 1; at <= expected.length; at += apart) {
    const here = await place(name);
    await here.process("ask");
    await here.process("reply", at);
    const isOver = (await here.facts()).at(-1)?.type === "turn-end";
    if (!isOver) expect(await here.process("go-on")).toMatch(/^idle/u);
    const facts = await here.facts();
    const state = facts.reduce(step, emptyState());
    expect([state.status, state.open.size, state.mode]).toEqual(["idle", 0, "accept-edits"]);
    expect(state.todos).toEqual([{ text: "Write a.txt", state: "open" }]);
    expect(story(facts).filter((each) => each.startsWith("question"))).toEqual(
      story(expected).filter((each) => each.startsWith("question")),
    );
    const calls = facts.flatMap((fact) => (fact.type === "call" ? [fact.call.id] : []));
    const results = facts.flatMap((fact) => (fact.type === "result" ? [fact.callId] : []));
    expect(results.toSorted()).toEqual(calls.toSorted());
    // A change whose process was killed before the write is not repeated: the model is informed, and gives up here.
    const isCutOff = facts.some((fact) => fact.type === "result" && fact.outcome !== "ok");
    const isWritten = (await here.workspace.files()).includes("a.txt");
    expect(writes(facts)).toBe(isWritten ? 1 : 0);
    expect(isWritten || isCutOff).toBe(true);
    await here.remove();
  }
  await whole.remove();
});
