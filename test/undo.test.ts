import { execFileSync } from "node:child_process";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../src/protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { sessionForTest } from "../src/testing/scripted-session.ts";
import type { TestSessionOptions } from "../src/testing/session.ts";
import { wholeTree } from "./support/whole-tree.ts";

const sources = Object.fromEntries(
  Array.from({ length: 500 }, (_, at) => [`src/${at % 10}/f${at}.ts`, `export const f${at} = "${at}"\n`]),
);
const files = {
  ...sources,
  "a.txt": "one\ntwo\nthree\n",
  "crlf.txt": "one\r\ntwo\r\n",
  "run.sh": "#!/bin/sh\necho run\n",
  "empty.txt": "",
  "format.mjs": `
    import { readdirSync, readFileSync, writeFileSync } from "node:fs";
    for (const name of readdirSync("src", { recursive: true, withFileTypes: true }).filter((one) => one.isFile())) {
      const path = name.parentPath + "/" + name.name;
      writeFileSync(path, readFileSync(path, "utf8").replaceAll('"', "'").replace("\\n", ";\\n"));
    }
  `,
};

async function work(calls: ScriptedAnswer, options: TestSessionOptions = {}) {
  const opened = await sessionForTest(scriptedModel([calls, [{ say: "Done." }]]), {
    sandbox: findSandbox,
    mode: "auto",
    files,
    ...options,
  });
  const { root } = opened.workspace;
  chmodSync(join(root, "run.sh"), 0o750);
  symlinkSync("a.txt", join(root, "link"));
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...words], { cwd: root });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  writeFileSync(join(root, "a.txt"), "one\nmine\nthree\n");
  return { ...opened, before: wholeTree(root) };
}

const run = (command: string) => ({ call: "run_command", with: { command } });
const outcomes = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) => (fact.type === "result" ? [fact.outcome] : []));

const works: Record<string, ScriptedAnswer> = {
  "an edit": [{ call: "edit_file", with: { path: "a.txt", old: "mine", new: "yours" } }],
  "a file in new directories": [{ call: "write_file", with: { path: "new/deep/a.txt", content: "x" } }],
  "a patch that edits, creates, deletes and renames": [
    {
      call: "apply_patch",
      with: {
        patch:
          "*** Begin Patch\n*** Update File: a.txt\n*** Move to: moved/b.txt\n@@\n one\n-mine\n+yours\n*** Add File: new.txt\n+new\n*** Delete File: crlf.txt\n*** End Patch\n",
      },
    },
  ],
  "rm of a file": [run("rm crlf.txt")],
  "mv of a file and of a directory": [run("mv a.txt b.txt && mv src/3 moved")],
  "git mv of a directory": [run("git mv src/4 src/moved")],
  "a change of mode": [run("chmod 700 run.sh && chmod a-w a.txt")],
  "making and removing directories that nobody may write in": [
    run("mkdir -p ro/in; echo x >ro/in/x; chmod 555 ro/in ro; chmod 555 src/1"),
    run("chmod u+w src/1; rm -rf src/1; chmod u+w ro; echo y >ro/y; chmod u-w ro"),
  ],
  "sed -i": [run("sed -i s/export/EXPORT/ src/*/f1*.ts a.txt")],
  "rm -rf of a directory": [run("rm -rf src")],
  "a formatter over 500 files": [run("node format.mjs")],
  "git checkout of a file": [run("git checkout a.txt")],
  "a link that becomes a file, a file that becomes a link or a directory": [
    run(
      "rm link && echo x > link && rm empty.txt && ln -s run.sh empty.txt && rm crlf.txt && mkdir -p crlf.txt/d",
    ),
  ],
  "several commands and edits": [
    run("sed -i s/one/ONE/ a.txt"),
    { call: "edit_file", with: { path: "crlf.txt", old: "one", new: "1" } },
    run("rm -r src/1 && echo x >> crlf.txt"),
  ],
};

for (const [name, calls] of Object.entries(works)) {
  test(`A40: after ${name}, undo restores the tree to the byte`, async () => {
    const { ask, session, workspace, before, facts } = await work(calls);
    await ask("go");
    expect(
      outcomes(facts()).every((outcome) => outcome === "ok"),
      JSON.stringify(facts().filter(({ type }) => type === "result")),
    ).toBe(true);
    expect(wholeTree(workspace.root)).not.toEqual(before);
    expect(await session.command({ type: "undo" })).toEqual({ ok: true });
    expect(wholeTree(workspace.root)).toEqual(before);
  });
}

test("A40: without a sandbox undo restores a removed directory, formatted sources and an uncommitted file", async () => {
  for (const calls of [[run("rm -rf src")], [run("node format.mjs")], [run("sed -i s/mine/yours/ a.txt")]]) {
    const { ask, session, workspace, before } = await work(calls, {
      sandbox: () => Promise.resolve({ kind: "none", because: "it is not wanted here" }),
    });
    await ask("go");
    expect(wholeTree(workspace.root)).not.toEqual(before);
    expect(await session.command({ type: "undo" })).toEqual({ ok: true });
    expect(wholeTree(workspace.root)).toEqual(before);
  }
});

test("A40: after later edits to a file that a command changed, undo reports the conflict, and can merge", async () => {
  const { ask, session, workspace } = await work([run("sed -i s/mine/yours/ a.txt")]);
  await ask("go");
  writeFileSync(join(workspace.root, "a.txt"), "one\nyours\nthree\nfour\n");
  const after = wholeTree(workspace.root);
  expect(await session.command({ type: "undo" })).toMatchObject({
    ok: false,
    conflicts: [{ path: "a.txt", outside: true }],
  });
  expect(wholeTree(workspace.root)).toEqual(after);
  expect(await session.command({ type: "undo", onConflict: "merge" })).toEqual({ ok: true });
  expect(await workspace.read("a.txt")).toBe("one\nmine\nthree\nfour\n");
});

test("an interrupted command keeps its changes so far, and undo reverts them", async () => {
  const { session, workspace, before, facts } = await work([run("echo x > a.txt; echo started; sleep 600")]);
  const started = Promise.withResolvers<void>();
  session.log.listen((event) => {
    if (event.type === "output-delta" && event.text.includes("started")) started.resolve();
  });
  await session.command({ type: "send", content: [{ type: "text", text: "go" }] });
  await started.promise;
  await session.command({ type: "interrupt" });
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "interrupted", changed: ["a.txt"] });
  expect(await workspace.read("a.txt")).toBe("x\n");
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(wholeTree(workspace.root)).toEqual(before);
});
