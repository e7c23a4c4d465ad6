import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Entry } from "../../src/protocol/facts.ts";
import { pendingApprovals } from "../../src/protocol/session-state.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";
import { testSession, type TestSession } from "../../src/testing/session.ts";
import { temporaryWorkspace } from "../../src/testing/workspace.ts";
import { crashModel } from "../support/crash-script.ts";

const run = promisify(execFile);
const child = join(import.meta.dirname, "../support/crash-child.ts");
const files = { "a.txt": "one\n", "b.txt": "b\n" };

/** Approves every request and continues until the turn is over. */
async function goOn({ session }: TestSession): Promise<void> {
  const leave = session.log.listen((event) => {
    if (event.type === "approval-asked") queueMicrotask(() => void allow(event.callId));
  });
  const allow = (callId: string) =>
    session.command({ type: "answer-approval", callId, answer: "allow", scope: "once", by: "test" });
  if (session.state.status === "idle")
    await session.command({ type: "send", content: [{ type: "text", text: "Do the task." }] });
  else await session.command({ type: "go-on" });
  for (const asked of pendingApprovals(session.state)) await allow(asked.callId);
  while (session.state.status === "running") {
    await session.idle();
    await new Promise((resolve) => setImmediate(resolve));
  }
  leave();
}

function expectWhole(facts: readonly Entry[]): void {
  expect(facts.map((fact) => fact.seq)).toEqual(facts.map((_, index) => index + 1));
  const calls = facts.flatMap((fact) => (fact.type === "call" ? [fact.call.id] : []));
  const results = facts.flatMap((fact) => (fact.type === "result" ? [fact.callId] : []));
  expect(results.toSorted()).toEqual(calls.toSorted());
  const applied = facts.flatMap((fact) => (fact.type === "change-applied" ? fact.changes : []));
  expect(applied.filter((file) => file.path === "a.txt").length).toBeLessThanOrEqual(1);
}

test("after a kill at any fact of a run the log reopens, every call gets one result, and the turn completes", async () => {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-crash-"));
  const whole = await temporaryWorkspace(files);
  const database = (name: string) => join(directory, `${name}.db`);
  const { stdout } = await run(process.execPath, [child, database("whole"), whole.root, "100000"]);
  const count = Number(stdout);
  expect(count).toBeGreaterThan(25);

  for (let at = 1; at <= count; at += 1) {
    const workspace = await temporaryWorkspace(files);
    const killed = await run(process.execPath, [child, database(`${at}`), workspace.root, `${at}`]).catch(
      (error) => error,
    );
    expect(killed.signal).toBe("SIGKILL");

    const store = await storeAt(database(`${at}`));
    const [summary] = await store.list();
    const stored = await store.read(summary?.id ?? "", 0);
    expect(stored.length).toBeGreaterThanOrEqual(at); // nothing that was reported is lost
    const wholeAnswers = stored.filter((fact) => fact.type === "answer-end").length;
    const opened = await testSession(crashModel(wholeAnswers), {
      store,
      workspace,
      resume: summary?.id ?? "",
    });
    await goOn(opened);
    expectWhole(opened.facts());
    expect(opened.facts().at(-1)?.type).toBe("turn-end");
    expect(opened.session.state.open.size).toBe(0);
    await opened.close();
    await store.close();
    await workspace.remove();
  }
  await whole.remove();
  await rm(directory, { recursive: true });
});
