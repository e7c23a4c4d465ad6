import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Entry, Signal } from "../../protocol/facts.ts";
import type { Prompt } from "../../providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { followUntil, testHost, type TestHostOptions } from "../../testing/host.ts";
import { text } from "../../tools/tool.ts";

const requestOf = ({ messages: [first] }: Prompt): string =>
  (first?.content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** `look` answers the task `Look`, in each of its rounds. */
async function hosted(look: (round: number) => ScriptedAnswer, options: TestHostOptions = {}) {
  const model = scriptedModel((prompt) => {
    const round = prompt.messages.filter(({ role }) => role === "assistant").length + 1;
    if (requestOf(prompt).startsWith("Look")) return look(round);
    return round === 1 ? [{ call: "delegate", with: { task: "Look" } }] : [{ say: "Told." }];
  });
  const made = await testHost(model, { mode: "accept-edits", ...options });
  onTestFinished(async () => {
    await made.close();
    await made.remove();
  });
  const created = await made.host.create({});
  if (!created.ok) throw new Error(created.problem);
  const { id } = created.value;
  const send = () => made.host.command(id, { type: "send", content: text("Ask.") });
  return { ...made, id, send, model };
}

const isStart = (event: Entry | Signal): boolean => event.type === "child-started";
const isEnd = (event: Entry | Signal): boolean => event.type === "turn-end";

const childIn = (events: readonly (Entry | Signal)[]): string => {
  const started = events.find((event) => event.type === "child-started");
  return started?.session ?? "";
};

test("a follower of a subagent's session in the same process receives its events live", async () => {
  const gate = Promise.withResolvers<void>();
  const { host, id, send } = await hosted(() => [
    { say: "It is a colour: " },
    { wait: gate.promise },
    { say: "green." },
  ]);
  await send();
  const child = childIn(await followUntil(host, id, isStart));
  const live = followUntil(host, child, isEnd);
  await followUntil(host, child, (event) => event.type === "text-delta");
  expect(await host.row(child)).toMatchObject({ parent: id, standing: "running" });
  gate.resolve();
  expect((await live).findLast((event) => event.type === "text")).toMatchObject({
    text: "It is a colour: green.",
  });
  await followUntil(host, id, isEnd);
  expect(await host.row(child)).toMatchObject({ parent: id, standing: "idle" });
});

test("session lists leave out subagents' sessions, which are found by parent or search and deleted with their parent", async () => {
  const { host, id, send } = await hosted(() => [{ say: "It is chartreuse." }], { restMs: 0 });
  await send();
  const child = childIn(await followUntil(host, id, isEnd));
  const ids = async (which: { search?: string; parent?: string }): Promise<string[]> =>
    (await host.rows({ limit: 10, ...which })).sessions.map((row) => row.id);
  expect(await ids({})).toEqual([id]);
  expect(await ids({ parent: id })).toEqual([child]);
  expect(await ids({ search: "chartreuse" })).toEqual([child]);
  expect(await ids({ search: "chartreuse", parent: "another" })).toEqual([]);
  await expect.poll(async () => (await host.remove(id)).ok).toBe(true);
  expect(await host.row(child)).toBeUndefined();
  expect(await ids({})).toEqual([]);
});

test("a person can continue a finished subagent session like any other", async () => {
  const { host, id, send } = await hosted((round) => [{ say: `Round ${round}.` }]);
  await send();
  const child = childIn(await followUntil(host, id, isEnd));
  expect(await host.command(child, { type: "send", content: text("And now?") })).toEqual({ ok: true });
  const events = await followUntil(host, child, (event) => event.type === "turn-end" && event.turn === 2);
  expect(events.at(-1)).toMatchObject({ stopped: "done", text: "Round 2." });
});

test("the delegate tool lists the workspace's agent files, including one added while the session is open", async () => {
  const written = (name: string): string =>
    `---\nname: ${name}\ndescription: Reviews.\ntools: Read\n---\nBe strict.\n`;
  const folder = ".claude/agents";
  const { host, id, send, model, workspace } = await hosted(() => [{ say: "Good." }], {
    files: { [`${folder}/one.md`]: written("one") },
  });
  const told = (): string =>
    model.prompts.at(-1)?.tools.find(({ name }) => name === "delegate")?.description ?? "";
  await send();
  await followUntil(host, id, isEnd);
  expect(told()).toMatch(/Agents:\n- one: Reviews\.$/u);
  await writeFile(join(workspace, folder, "two.md"), written("two"));
  await send();
  await followUntil(host, id, (event) => event.type === "turn-end" && event.turn === 2);
  expect(told()).toContain("- two: Reviews.");
});
