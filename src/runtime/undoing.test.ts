import { chmod, lstat, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileImage, type Image } from "../base/safe-fs/image.ts";
import type { Command } from "../protocol/commands.ts";
import type { Entry } from "../protocol/facts.ts";
import { checkpointOf } from "../protocol/fold-changes.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { missingDirectories } from "../session/missing-directories.ts";
import { openMemoryStore } from "../session/sqlite/memory-store.ts";
import { StoreError } from "../session/store.ts";
import { WrappedStore } from "../session/testing/wrapped-store.ts";
import { testSession, type TestSession, type TestSessionOptions } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { defineTool, ok } from "../tools/tool.ts";

const image = (text: string, mode?: number): Image => fileImage(new TextEncoder().encode(text), mode);

/** One change of every kind at once. */
const reshape = defineTool({
  name: "reshape",
  does: "change",
  summary: "Changes files.",
  input: {},
  title: () => "Reshape",
  run: async (_, context) => {
    const change = async (path: string, after: Image | null) => {
      const before = await context.files.image(path, { maxBytes: 1000 });
      if (!before.ok) throw new Error(before.problem.message);
      return { path, before: before.value, after };
    };
    const changes = [
      await change("edited", image("two\n")),
      await change("gone", null),
      await change("moded", image("same\n", 0o755)),
      await change("made/deep/file", image("new\n")),
      await change("link", { kind: "link", target: "edited" }),
    ];
    return {
      ...ok("Reshaped."),
      changes: [...(await missingDirectories(context.files, changes)), ...changes],
    };
  },
});

const files = { edited: "one\n", gone: "g\n", moded: "same\n" };
const script: readonly ScriptedAnswer[] = [[{ call: "reshape", with: {} }], [{ say: "Done." }]];
const request: Command = { type: "send", content: [{ type: "text", text: "go" }] };

process.umask(0o022); // snapshots include file modes

async function start(options: TestSessionOptions = {}, answers = script): Promise<TestSession> {
  const opened = await testSession(scriptedModel(answers), {
    files,
    mode: "auto",
    tools: [reshape],
    ...options,
  });
  onTestFinished(() => opened.close().catch(() => undefined));
  return opened;
}

async function snapshot(root: string): Promise<Record<string, string>> {
  const all = (await readdir(root, { recursive: true })).toSorted();
  const described = all.map(async (path) => {
    const stats = await lstat(join(root, path));
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) return [path, await readlink(join(root, path))];
    return [path, stats.isDirectory() ? mode : `${mode} ${await readFile(join(root, path), "utf8")}`];
  });
  return Object.fromEntries(await Promise.all(described));
}

test("A40: commands undo, redo, review and keep a turn; each change is recorded by one fact", async () => {
  const { session, workspace, ask, facts } = await start();
  await chmod(join(workspace.root, "gone"), 0o640);
  const before = await snapshot(workspace.root);
  await ask("go");
  const after = await snapshot(workspace.root);
  expect(Object.keys(after)).toEqual(["edited", "link", "made", "made/deep", "made/deep/file", "moded"]);
  const seq = facts().length;
  const review = await session.review();
  expect(review).toMatchObject({ ok: true, value: { turn: 1, status: "pending" } });
  expect(review.ok ? review.value.files.map(({ path }) => path) : []).toEqual([
    "edited",
    "gone",
    "moded",
    "made/deep/file",
    "link",
  ]);
  expect(facts()).toHaveLength(seq);
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await snapshot(workspace.root)).toEqual(before);
  expect(await session.command({ type: "redo" })).toEqual({ ok: true });
  expect(await snapshot(workspace.root)).toEqual(after);
  expect(await session.command({ type: "undo", paths: ["gone"] })).toEqual({ ok: true });
  expect(await session.command({ type: "keep" })).toEqual({ ok: true });
  expect(await session.command({ type: "undo" })).toEqual({
    ok: false,
    problem: "There are no changes to take back.",
  });
  expect(
    facts()
      .slice(seq)
      .map(({ type }) => type),
  ).toEqual(["changes-undone", "changes-undone", "changes-undone", "changes-kept"]);
});

test("a refused undo names the files with later work, and a choice carries it out", async () => {
  const { session, workspace, ask } = await start();
  await ask("go");
  await writeFile(join(workspace.root, "edited"), "mine\n");
  const refused = await session.command({ type: "undo" });
  expect(refused).toMatchObject({
    ok: false,
    conflicts: [
      { path: "edited", turns: [], outside: true, choices: expect.arrayContaining(["skip", "restore"]) },
    ],
  });
  expect(await readFile(join(workspace.root, "edited"), "utf8")).toBe("mine\n");
  expect(await session.command({ type: "undo", onConflict: "skip" })).toEqual({ ok: true });
  expect(await snapshot(workspace.root)).toMatchObject({ edited: "644 mine\n", gone: "644 g\n" });
});

test("an undo that would make a directory a repository of git is refused; one that takes a part away is not", async () => {
  const exchange = defineTool({
    name: "reshape",
    does: "change",
    summary: "Changes files.",
    input: {},
    title: () => "Exchange",
    run: async () => ({
      ...ok("Exchanged."),
      changes: [
        { path: "old/HEAD", before: image("ref: refs/heads/main\n"), after: null },
        { path: "new/HEAD", before: null, after: image("ref: refs/heads/main\n") },
      ],
    }),
  });
  const { session, workspace, ask } = await start({
    tools: [exchange],
    files: { "old/HEAD": "ref: refs/heads/main\n", "new/x": "1" },
  });
  await ask("go");
  for (const made of ["old/objects", "old/refs", "new/objects", "new/refs"])
    await mkdir(join(workspace.root, made), { recursive: true });
  const before = await snapshot(workspace.root);
  expect(await session.command({ type: "undo" })).toEqual({
    ok: false,
    problem:
      "Nothing was changed: old is, or would become, a repository that git obeys, which no tool changes. Take back the other files, or bring it back by hand.",
  });
  expect(await snapshot(workspace.root)).toEqual(before);
  expect(await session.command({ type: "undo", paths: ["new/HEAD"] })).toEqual({ ok: true });
  expect(Object.keys(await snapshot(workspace.root))).not.toContain("new/HEAD");
});

test("changes of a request that waits for a person cannot be undone or kept; those of an earlier one can be undone", async () => {
  const { session, workspace, ask } = await start({ mode: "ask" }, [...script, ...script]);
  await ask("go");
  await session.command(request);
  await session.idle();
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await readFile(join(workspace.root, "edited"), "utf8")).toBe("one\n");
  expect(await session.command({ type: "keep", turn: 2 })).toMatchObject({ ok: false });
});

/** Refuses every append from a given one on, like a full disk or a dead process. */
class FailingStore extends WrappedStore {
  left = Number.POSITIVE_INFINITY;
  refused = false;

  override async append(session: string, epoch: number, entries: readonly Entry[]): Promise<void> {
    this.left -= 1;
    this.refused ||= this.left < 0;
    if (this.left < 0) throw new StoreError("The disk is full.");
    await super.append(session, epoch, entries);
  }
}

test("A41: a process that dies at any append leaves whole files and an undo that is byte-identical", async () => {
  let ends = 0;
  for (let place = 0; ; place += 1) {
    const [store, workspace] = [new FailingStore(), await temporaryWorkspace(files)];
    onTestFinished(() => workspace.remove());
    const before = await snapshot(workspace.root);
    const first = await start({ store, workspace });
    store.left = place;
    await first.ask("go").catch(() => undefined);
    const { refused } = store;
    store.left = Number.POSITIVE_INFINITY;
    const killed = await snapshot(workspace.root);

    const resumed = await start({ store, workspace, resume: first.session.id }, [[{ say: "Done." }]]);
    expect(await snapshot(workspace.root)).toEqual(killed);
    if (resumed.session.state.status === "running") await resumed.session.command({ type: "interrupt" });
    const isChanged = JSON.stringify(killed) !== JSON.stringify(before);
    expect(checkpointOf(resumed.session.state, 1)?.files.length ?? 0).toBe(isChanged ? 5 : 0);
    expect(await resumed.session.command({ type: "undo" })).toMatchObject({ ok: isChanged });
    expect(await snapshot(workspace.root)).toEqual(before);
    ends += Number(refused && isChanged);
    await resumed.close();
    if (!refused) break;
  }
  expect(ends).toBeGreaterThan(0);
});

test("A41: an undo whose fact cannot be stored reports that and can be repeated", async () => {
  const store = new FailingStore();
  const { session, workspace, ask } = await start({ store });
  const before = await snapshot(workspace.root);
  await ask("go");
  store.left = 1; // the first append only checks that the session is still ours
  expect(await session.command({ type: "undo" })).toEqual({
    ok: false,
    problem: "The files are changed, but that could not be recorded: The disk is full. Then try again.",
  });
  expect(await snapshot(workspace.root)).toEqual(before);
  expect(await session.command({ type: "keep" })).toEqual({ ok: false, problem: "The disk is full." });
  store.left = Number.POSITIVE_INFINITY;
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await snapshot(workspace.root)).toEqual(before);
  expect(await session.command({ type: "redo" })).toEqual({ ok: true });
  expect(Object.keys(await snapshot(workspace.root))).toContain("made/deep/file");
});

test("a session taken over by another process changes no files", async () => {
  const store = openMemoryStore();
  const { session, workspace, ask } = await start({ store });
  await ask("go");
  const after = await snapshot(workspace.root);
  await store.claim(session.id);
  await expect(session.command({ type: "undo" })).rejects.toThrow("taken over by another process");
  expect(await snapshot(workspace.root)).toEqual(after);
});
