/** Tests what is remembered of the messages in the sessions of a workspace. */

import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { testSession } from "../../testing/session.ts";
import { saidBefore } from "./said-before.ts";

async function all(said: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  for await (const text of said) texts.push(text);
  return texts;
}

test("what was typed in all sessions of the workspace comes newest first, without attached files", async () => {
  const store = openMemoryStore();
  const open = async (workspace: string | undefined, ...texts: string[]) => {
    const opened = await testSession(scriptedModel(texts.map(() => [{ say: "Yes." }])), {
      store,
      files: { "note.txt": "the note" },
    });
    onTestFinished(() => opened.close().catch(() => undefined));
    for (const text of texts) {
      const content = [
        { type: "text" as const, text },
        { type: "text" as const, text: "the note", file: "note.txt" },
      ];
      await opened.session.command({ type: "send", content });
      await opened.session.idle();
    }
    return workspace ?? opened.workspace.root;
  };
  const workspace = await open(undefined, "first", "second");
  await open(undefined, "of another workspace");
  expect(await all(saidBefore({ store, workspace }))).toEqual(["second", "first"]);
  expect(await all(saidBefore({ store, workspace: "/nowhere" }))).toEqual([]);
});

test("a message that waited in the queue is remembered once", async () => {
  const store = openMemoryStore();
  const opened = await testSession(scriptedModel([[{ say: "One." }], [{ say: "Two." }]]), { store });
  onTestFinished(() => opened.close().catch(() => undefined));
  const send = (text: string) =>
    opened.session.command({ type: "send", content: [{ type: "text", text }], when: "next" });
  await send("now");
  await send("afterwards");
  await opened.session.idle();
  const said = await all(saidBefore({ store, workspace: opened.workspace.root }));
  expect(said.toSorted()).toEqual(["afterwards", "now"]);
});
