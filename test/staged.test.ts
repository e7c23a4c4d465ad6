import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FactOf } from "../src/protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { findSandbox } from "../src/safety/sandbox/sandbox.ts";
import { sessionForTest } from "../src/testing/scripted-session.ts";
import type { TestSessionOptions } from "../src/testing/session.ts";
import { wholeTree } from "./support/whole-tree.ts";

const files = {
  "package.json": '{"name": "app", "version": "1.0.0"}\n',
  "src/a.ts": "export const a = 1;\n",
  "src/deep/b.ts": "export const b = 2;\n",
  "local/package.json": '{"name": "local", "version": "1.2.3", "main": "index.js"}\n',
  "local/index.js": "module.exports = 42;\n",
  "generate.mjs": `
    import { mkdirSync, writeFileSync, readFileSync } from "node:fs";
    mkdirSync("gen/types", { recursive: true });
    for (let at = 0; at < 20; at += 1) writeFileSync("gen/types/t" + at + ".ts", "export type T" + at + " = " + at + ";\\n");
    writeFileSync("src/a.ts", readFileSync("src/a.ts", "utf8") + "export * from './gen';\\n");
  `,
};

async function stage(command: string, options: TestSessionOptions = {}) {
  const script: ScriptedAnswer[] = [
    [{ call: "run_command", with: { command, stage: true } }],
    [{ say: "Staged." }],
  ];
  const opened = await sessionForTest(scriptedModel(script), { sandbox: findSandbox, files, ...options });
  const before = wholeTree(opened.workspace.root);
  await opened.ask("stage it");
  const staged = opened
    .facts()
    .find((fact): fact is FactOf<"change-staged"> & typeof fact => fact.type === "change-staged");
  const token = staged?.token ?? "";
  const apply = async (): Promise<string> => {
    script.push([{ call: "apply_file_change", with: { token } }], [{ say: "Applied." }]);
    await opened.ask("apply it");
    return opened.facts().findLast((fact) => fact.type === "result")?.outcome ?? "none";
  };
  const result = opened.facts().find((fact) => fact.type === "result");
  return { ...opened, before, staged, apply, result };
}

test("a staged rm -rf changes nothing until its token is applied, which works once, and undo restores everything", async () => {
  const { workspace, before, staged, apply, result, session, facts } = await stage("rm -rf src");
  expect(facts().some(({ type }) => type === "approval-asked")).toBe(false);
  expect(wholeTree(workspace.root)).toEqual(before);
  expect(result).toMatchObject({ outcome: "ok", metadata: { token: staged?.token } });
  expect(result?.metadata?.["diffPreview"]).toContain("--- a/src/a.ts\n+++ /dev/null");
  expect(await apply()).toBe("ok");
  expect(Object.keys(wholeTree(workspace.root)).some((path) => path.startsWith("src"))).toBe(false);
  expect(await apply()).toBe("failed");
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(wholeTree(workspace.root)).toEqual(before);
});

test("a staged install of a local package previews its changes, and makes them when applied", async () => {
  const { workspace, before, staged, apply } = await stage(
    "npm install --no-audit --no-fund --install-links ./local",
  );
  expect(wholeTree(workspace.root)).toEqual(before);
  expect(staged?.changes.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["package.json", "package-lock.json"]),
  );
  expect(await apply()).toBe("ok");
  expect(await workspace.read("package.json")).toContain('"local"');
  expect(await workspace.read("node_modules/local/index.js")).toBe(files["local/index.js"]);
});

test("a staged code generator previews the right diff, and gives the same tree as running it directly", async () => {
  const direct = await sessionForTest(
    scriptedModel([[{ call: "run_command", with: { command: "node generate.mjs" } }], [{ say: "Done." }]]),
    {
      sandbox: findSandbox,
      files,
      mode: "auto",
    },
  );
  await direct.ask("go");
  const { workspace, before, apply, result } = await stage("node generate.mjs");
  expect(wholeTree(workspace.root)).toEqual(before);
  expect(result?.metadata?.["diffPreview"]).toContain("+export * from './gen';");
  expect(result?.metadata?.["diffPreview"]).toContain("+export type T7 = 7;");
  expect(await apply()).toBe("ok");
  expect(wholeTree(workspace.root)).toEqual(wholeTree(direct.workspace.root));
});

test("applying fails as a whole when a file has changed since staging", async () => {
  const { workspace, apply } = await stage("node generate.mjs");
  writeFileSync(join(workspace.root, "src/a.ts"), "mine\n");
  const mine = wholeTree(workspace.root);
  expect(await apply()).toBe("failed");
  expect(wholeTree(workspace.root)).toEqual(mine);
  mkdirSync(join(workspace.root, "gen"));
  expect(await apply()).toBe("failed");
});

test("a repository created by a staged command is left out, and the rest can be applied", async () => {
  const { workspace, before, apply, result } = await stage("git init -q sub; echo x >sub/x");
  expect(JSON.stringify(result)).toContain("What the command did to the repository sub/.git is left out.");
  expect(wholeTree(workspace.root)).toEqual(before);
  expect(await apply()).toBe("ok");
  expect(await workspace.read("sub/x")).toBe("x\n");
  expect(existsSync(join(workspace.root, "sub/.git"))).toBe(false);
});

test("in staged mode a command only previews its changes, and one that cannot be staged is denied", async () => {
  const script: ScriptedAnswer[] = [
    [
      { call: "run_command", with: { command: "cat src/a.ts" } },
      { call: "run_command", with: { command: "echo x > x.txt" } },
      { call: "run_command", with: { command: "curl -s https://example.com -o page" } },
    ],
    [{ say: "Done." }],
  ];
  const opened = await sessionForTest(scriptedModel(script), { sandbox: findSandbox, files, mode: "staged" });
  const before = wholeTree(opened.workspace.root);
  await opened.ask("go", "deny");
  const results = opened.facts().flatMap((fact) => (fact.type === "result" ? [fact] : []));
  expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(["denied", "ok", "ok"]);
  expect(JSON.stringify(results)).toContain("it cannot be staged: it reaches beyond the workspace");
  expect(opened.facts().filter(({ type }) => type === "change-staged")).toHaveLength(1);
  expect(wholeTree(opened.workspace.root)).toEqual(before);
});

test("without a sandbox staging is denied with the reason", async () => {
  const { result, workspace, before } = await stage("rm -rf src", {
    sandbox: () => Promise.resolve({ kind: "none", because: "bubblewrap is not installed" }),
  });
  expect(result).toMatchObject({ outcome: "denied" });
  expect(JSON.stringify(result)).toContain(
    "it cannot be staged: the sandbox is off (bubblewrap is not installed)",
  );
  expect(wholeTree(workspace.root)).toEqual(before);
});

test("a staged git command leaves out changes to the repository, and says so", async () => {
  const commit = "git -c user.name=A -c user.email=a@example.org commit -q --allow-empty -m x";
  const script: ScriptedAnswer[] = [
    [{ call: "run_command", with: { command: commit, stage: true } }],
    [{ say: "Staged." }],
  ];
  const opened = await sessionForTest(scriptedModel(script), { sandbox: findSandbox, files });
  const { root } = opened.workspace;
  execFileSync("git", ["init", "-q"], { cwd: root });
  const before = readFileSync(join(root, ".git/HEAD"), "utf8");
  await opened.ask("stage it");
  const results = opened.facts().filter(({ type }) => type === "result");
  expect(results).toMatchObject([{ outcome: "ok" }]);
  expect(JSON.stringify(results)).toContain("What the command did to the repository .git is left out");
  expect(readFileSync(join(root, ".git/HEAD"), "utf8")).toBe(before);
  expect(existsSync(join(root, ".git/refs/heads/master"))).toBe(false);
  expect(existsSync(join(root, ".git/refs/heads/main"))).toBe(false);
});
