import { readFileSync } from "node:fs";
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileImage, hashOfImage } from "../../base/safe-fs/image.ts";
import type { Entry, FactOf, FactType } from "../../protocol/facts.ts";
import { stagedForMs } from "../../protocol/fold-staged.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { findSandbox } from "../../safety/sandbox/sandbox.ts";
import { sessionForTest } from "../../testing/scripted-session.ts";
import type { TestSessionOptions } from "../../testing/session.ts";
import { defineTool } from "../../tools/tool.ts";

/** `script` takes further answers, which may depend on the facts so far. */
async function start(answers: readonly ScriptedAnswer[], options: TestSessionOptions = {}) {
  const script = [...answers];
  const opened = await sessionForTest(scriptedModel(script), options);
  return { ...opened, script };
}

const only = <T extends FactType>(facts: readonly Entry[], type: T): FactOf<T>[] =>
  facts.flatMap((fact) => (isA(fact, type) ? [fact] : []));

function isA<T extends FactType>(fact: Entry, type: T): fact is Extract<Entry, FactOf<T>> {
  return fact.type === type;
}

const resultText = (facts: readonly Entry[]): string[] =>
  only(facts, "result").map(({ content }) =>
    content.map((part) => (part.type === "text" ? part.text : "")).join(""),
  );

const done: ScriptedAnswer = [{ say: "Done." }];
const preview = { call: "preview_write_file", with: { path: "a.txt", content: "two\n" } };

/** Stages with the first request, applies with the second. */
async function staged(call: ScriptedAnswer[number], options: TestSessionOptions = {}) {
  let token = "";
  const opened = await start([[call], done], { mode: "staged", files: { "a.txt": "one\n" }, ...options });
  await opened.ask("stage it");
  const [fact] = only(opened.facts(), "change-staged");
  token = fact?.token ?? "";
  return { ...opened, token, fact };
}

test("B8: a preview changes nothing and returns a UUID token with the diff; the token applies it once", async () => {
  const { workspace, facts, token, fact, ask, script } = await staged(preview);
  expect(await workspace.read("a.txt")).toBe("one\n");
  expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(fact?.changes).toMatchObject([{ path: "a.txt", added: 1, removed: 1 }]);
  const [result] = only(facts(), "result");
  expect(result?.metadata).toEqual({ token, diffPreview: expect.stringContaining("-one\n+two\n") });
  expect(resultText(facts())[0]).toContain(token);

  const apply = { call: "apply_file_change", with: { token } };
  script.push([apply], done, [apply], done);
  await ask("apply it");
  expect(await workspace.read("a.txt")).toBe("two\n");
  expect(only(facts(), "change-applied")).toMatchObject([{ token, changes: [{ path: "a.txt" }] }]);

  await writeFile(join(workspace.root, "a.txt"), "one\n");
  await ask("apply it again");
  expect(await workspace.read("a.txt")).toBe("one\n");
  expect(resultText(facts()).at(-1)).toContain("used already");
});

test("B8: a token fails when the file has changed since it was staged, and after ten minutes", async () => {
  let now = 1_000_000;
  const { workspace, facts, token, ask, script } = await staged(preview, { now: () => now });
  await writeFile(join(workspace.root, "a.txt"), "mine\n");
  script.push([{ call: "apply_file_change", with: { token } }], done);
  await ask("apply it");
  expect(await workspace.read("a.txt")).toBe("mine\n");
  expect(resultText(facts()).at(-1)).toContain("a.txt has changed since this was staged");

  await writeFile(join(workspace.root, "a.txt"), "one\n");
  now += stagedForMs;
  script.push([{ call: "apply_file_change", with: { token } }], done);
  await ask("apply it late");
  expect(await workspace.read("a.txt")).toBe("one\n");
  expect(resultText(facts()).at(-1)).toContain("expired");
});

test("B8: an unknown token is rejected, whatever it looks like", async () => {
  const tokens = ["", "x", "../../etc", "0b7d9a34-2f5e-4a51-9e0e-0a63c0a2f7bb", "y".repeat(100_000)];
  const calls: ScriptedAnswer[] = tokens.flatMap((token) => [
    [{ call: "apply_file_change", with: { token } }],
  ]);
  const { facts, ask, workspace } = await start([...calls, done], { mode: "accept-edits" });
  await ask("apply");
  for (const words of resultText(facts())) expect(words.length).toBeLessThan(400);
  expect(only(facts(), "result").every(({ outcome }) => outcome === "failed" || outcome === "invalid")).toBe(
    true,
  );
  expect(await workspace.files()).toEqual([]);
});

test("B9: in staged mode write_file and edit_file only preview, and their results say that they were translated", async () => {
  const calls: ScriptedAnswer = [
    { call: "write_file", with: { path: "a.txt", content: "two\n" } },
    { call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } },
  ];
  for (const call of calls) {
    const { workspace, facts, token } = await staged(call);
    expect(await workspace.read("a.txt")).toBe("one\n");
    const [result] = only(facts(), "result");
    expect(result?.metadata).toMatchObject({ legacyTranslated: true, token });
    expect(resultText(facts())[0]).toMatch(/^Nothing was changed yet/);
    expect(only(facts(), "change-applied")).toEqual([]);
  }
});

test("B13: without a person a valid token counts as approval, but staging a sensitive file is denied", async () => {
  const plain = await staged(preview, { interactive: false });
  plain.script.push([{ call: "apply_file_change", with: { token: plain.token } }], done);
  await plain.ask("apply it");
  expect(await plain.workspace.read("a.txt")).toBe("two\n");

  const secret = await start(
    [[{ call: "preview_write_file", with: { path: ".env", content: "KEY=1\n" } }], done],
    { mode: "staged", interactive: false },
  );
  await secret.ask("stage it");
  expect(only(secret.facts(), "result")).toMatchObject([{ outcome: "denied" }]);
});

test("C2: a change to a protected file cannot be staged either", async () => {
  const { ask, facts } = await start(
    [[{ call: "preview_write_file", with: { path: ".git/hooks/pre-commit", content: "x" } }], done],
    { mode: "staged" },
  );
  await ask("stage it");
  expect(only(facts(), "result")).toMatchObject([{ outcome: "denied" }]);
  expect(only(facts(), "change-staged")).toEqual([]);
});

test("SAFETY 4: changing a read-only file needs its own approval and keeps the file's mode", async () => {
  const edit = { call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } };
  const { workspace, facts, ask } = await start([[edit], done, [edit], done], {
    mode: "auto",
    files: { "a.txt": "one\n" },
  });
  await chmod(join(workspace.root, "a.txt"), 0o444);
  await ask("edit it", "deny");
  expect(await workspace.read("a.txt")).toBe("one\n");
  expect(only(facts(), "approval-asked")).toMatchObject([{ because: "a.txt is read-only" }]);
  await ask("edit it", "allow");
  expect(await workspace.read("a.txt")).toBe("two\n");
  expect((await stat(join(workspace.root, "a.txt"))).mode & 0o777).toBe(0o444);
});

test("E1: missing directories are created before a file is written and recorded with the change", async () => {
  const { workspace, facts, ask } = await start(
    [[{ call: "write_file", with: { path: "deep/er/a.txt", content: "x" } }], done],
    { mode: "accept-edits" },
  );
  await ask("write it");
  expect(await workspace.read("deep/er/a.txt")).toBe("x");
  const [applied] = only(facts(), "change-applied");
  expect(applied?.changes.map(({ path }) => path).toSorted()).toEqual(["deep", "deep/er", "deep/er/a.txt"]);
  expect(only(facts(), "turn-end")[0]?.changed).toEqual(["deep/er/a.txt"]);
});

test("B8: a file whose mode or kind differs from when it was staged counts as changed, even with the same bytes", async () => {
  const files = { "empty.txt": "", "run.sh": "x\n" };
  const other: Record<string, (path: string) => Promise<void>> = {
    "empty.txt": async (path) => {
      await rm(path);
      await mkdir(path);
    },
    "run.sh": (path) => chmod(path, 0o640),
  };
  for (const [path, change] of Object.entries(other)) {
    const call = {
      call: "run_command",
      with: { command: `echo new >>${path}; chmod 755 ${path}`, stage: true },
    };
    const { workspace, ask, script, facts, token } = await staged(call, { files, sandbox: findSandbox });
    await change(join(workspace.root, path));
    script.push([{ call: "apply_file_change", with: { token } }], done);
    await ask("apply it");
    expect(resultText(facts()).at(-1)).toContain(`${path} has changed since this was staged`);
  }
});

test("a command's changes are logged as intent before they are written, and as applied afterwards", async () => {
  const after = fileImage(Buffer.from("two\n"));
  const remake = defineTool({
    name: "remake",
    summary: "Makes a.txt anew.",
    does: "execute",
    input: {},
    title: () => "Remake",
    command: () => "true",
    run: async (_, { files }) => {
      const before = await files.image("a.txt", { maxBytes: 1000 });
      const changes = before.ok ? [{ path: "a.txt", before: before.value, after }] : [];
      return { outcome: "ok", content: [], changes };
    },
  });
  const { ask, facts, workspace, session } = await start([[{ call: "remake", with: {} }], done], {
    files: { "a.txt": "one\n" },
    tools: [remake],
  });
  const found: string[] = [];
  session.log.listen((event) => {
    if (event.type === "call-start" && event.changes)
      found.push(readFileSync(join(workspace.root, "a.txt"), "utf8"));
  });
  await ask("Remake it.");
  expect(only(facts(), "call-start")).toMatchObject([
    { does: "execute" },
    { does: "execute", changes: [{ path: "a.txt", after: hashOfImage(after) }] },
  ]);
  expect(found).toEqual(["one\n"]);
  expect(await workspace.read("a.txt")).toBe("two\n");
  expect(only(facts(), "change-applied")).toMatchObject([
    { changes: [{ path: "a.txt", added: 1, removed: 1 }] },
  ]);
});

test("a change that nobody was asked about has its diff beside the result, unless it is huge or was asked about", async () => {
  const write = (content: string): ScriptedAnswer => [
    { call: "write_file", with: { path: "a.txt", content } },
  ];
  const metadataOf = async (content: string, options: TestSessionOptions) => {
    const opened = await start([write(content), done], { files: { "a.txt": "one\n" }, ...options });
    await opened.ask("go");
    const { metadata, content: told } = only(opened.facts(), "result")[0] ?? {};
    expect(JSON.stringify(told)).not.toContain("+two");
    return metadata;
  };
  expect(await metadataOf("two\n", { mode: "accept-edits" })).toEqual({
    diffPreview: expect.stringContaining("-one\n+two\n"),
  });
  expect(await metadataOf("two\n", { mode: "ask" })).toBeUndefined();
  expect(await metadataOf("x".repeat(1_200_000), { mode: "accept-edits" })).toBeUndefined();
});
