import { afterEach, expect, test } from "vitest";
import type { Prompt } from "../providers/provider.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";

const open: TestSession[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session.close();
});

const lines = (...changed: string[]): string =>
  Array.from({ length: 30 }, (_, at) => changed.find((line) => line.startsWith(`${at} `)) ?? `${at}`).join(
    "\n",
  );

const files = { "a.txt": "one\n", "long.txt": lines() };
const write = (path: string, content: string) => ({ call: "write_file", with: { path, content } });
const model = () =>
  scriptedModel([
    [write("a.txt", "two\n"), write("new.txt", "new\n"), write("long.txt", lines("1 x", "28 y"))],
    [{ say: "Changed." }],
    [{ say: "I see." }],
    [{ say: "Yes." }],
  ]);

async function start(scripted = model(), options: TestSessionOptions = {}) {
  const opened = await testSession(scripted, { files, mode: "accept-edits", ...options });
  open.push(opened);
  return { ...opened, model: scripted };
}

/** The user-side text of a prompt. */
const told = (prompt: Prompt | undefined): string[] =>
  (prompt?.messages ?? []).flatMap(({ role, content }) =>
    role === "user" ? content.map((part) => (part.type === "text" ? part.text : "")) : [],
  );

const wholeUndo = [
  "The user undid changes:",
  "- as before them: a.txt, long.txt",
  "- not there any more: new.txt",
  "Read a file again before you change it.",
].join("\n");

test("what a person undid is told once, with their next request, behind all that the model knew", async () => {
  const { model: asked, session, ask } = await start();
  await ask("go");
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  await ask("and now?");
  await ask("really?");
  expect(told(asked.prompts[2])).toEqual(["go", "and now?", wholeUndo]);
  expect(told(asked.prompts[3])).toEqual(["go", "and now?", wholeUndo, "really?"]);
  expect(asked.prompts[2]?.messages.slice(0, 4)).toEqual(asked.prompts[3]?.messages.slice(0, 4));
  expect(asked.prompts[2]?.system).toBe(asked.prompts[0]?.system);
});

test("one file and one hunk are told as what they are, and a redo as a redo", async () => {
  const { model: asked, session, ask } = await start();
  await ask("go");
  await session.command({ type: "undo", paths: ["new.txt"] });
  await session.command({ type: "undo", paths: ["long.txt"], hunks: [1] });
  await ask("and now?");
  await session.command({ type: "redo" });
  await ask("and now?");
  expect(told(asked.prompts[2]).at(-1)).toBe(
    [
      "The user undid changes:",
      "- not there any more: new.txt",
      "- in part as before them: long.txt",
      "Read a file again before you change it.",
    ].join("\n"),
  );
  expect(told(asked.prompts[3]).at(-1)).toMatch(/^The user undid changes:\n- changed again: long.txt\nRead/u);
});

test("an undo that was redone before anything was asked is not told", async () => {
  const { model: asked, session, ask } = await start();
  await ask("go");
  await session.command({ type: "undo" });
  expect(await session.command({ type: "redo" })).toEqual({ ok: true });
  await ask("and now?");
  expect(told(asked.prompts[2])).toEqual(["go", "and now?"]);
});

test("an undo is told after the session was closed and resumed, in whichever process", async () => {
  const workspace = await temporaryWorkspace(files);
  const store = openMemoryStore();
  const first = await start(model(), { workspace, store });
  await first.ask("go");
  await first.session.command({ type: "undo" });
  await first.session.close();
  const second = await start(scriptedModel([[{ say: "I see." }]]), {
    workspace,
    store,
    resume: first.session.id,
  });
  await second.ask("and now?");
  expect(told(second.model.prompts[0])).toEqual(["go", "and now?", wholeUndo]);
  await workspace.remove();
});

test("many files are named up to a limit, and the rest is counted", async () => {
  const paths = Array.from({ length: 60 }, (_, at) => `f${String(at).padStart(3, "0")}.txt`);
  const scripted = scriptedModel([
    paths.map((path) => write(path, "x\n")),
    [{ say: "Changed." }],
    [{ say: "I see." }],
  ]);
  const { session, ask } = await start(scripted, { files: {} });
  await ask("go");
  await session.command({ type: "undo" });
  await ask("and now?");
  expect(told(scripted.prompts[2]).at(-1)).toMatch(
    /- not there any more: f000\.txt, .*f049\.txt and 10 more\nRead/u,
  );
});
