import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { languageFindings } from "./findings.ts";

async function place(files: Record<string, string>, programs: readonly string[]) {
  const [workspace, machine] = [await temporaryWorkspace(files), await temporaryWorkspace({})];
  onTestFinished(async () => {
    await workspace.remove();
    await machine.remove();
  });
  for (const name of programs) {
    const path = name.includes("/") ? join(workspace.root, name) : join(machine.root, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "#!/bin/sh\n");
    await chmod(path, 0o755);
  }
  const at = {
    workspace: workspace.root,
    home: join(machine.root, "home"),
    environment: { PATH: machine.root },
  };
  return { at, bin: machine.root, root: workspace.root };
}

test("doctor lists servers found, servers awaiting consent, and how to install missing ones", async () => {
  const { at, bin, root } = await place({ "a.go": "", "b.py": "" }, ["gopls", ".venv/bin/pylsp"]);
  const [found, ...missing] = languageFindings({ ...at, environment: { PATH: bin } }, undefined);
  expect(found).toMatchObject({ check: "languages", state: "ok" });
  expect(found?.words).toContain(`go (.go) by ${join(bin, "gopls")}`);
  expect(found?.words).toContain(
    `python (.py .pyi) by ${join(root, ".venv/bin/pylsp")}, once you agree to it (\`toolwright trust\`)`,
  );
  expect(found?.fix).toBeUndefined();
  expect(missing).toMatchObject([
    {
      state: "ok",
      words: expect.stringMatching(
        /^not installed, and not needed here: typescript \(npm install -g typescript@7/u,
      ),
    },
  ]);
  const bare = languageFindings({ ...at, environment: {} }, undefined);
  expect(bare.filter(({ state }) => state === "warn")).toMatchObject([
    {
      check: "languages",
      state: "warn",
      words: expect.stringContaining("go (.go)"),
      fix: expect.stringContaining("gopls"),
    },
  ]);
});

test("doctor reports that language servers are switched off", async () => {
  const { at } = await place({ "a.go": "" }, []);
  expect(languageFindings(at, false)).toMatchObject([
    { state: "ok", words: expect.stringContaining("switched off") },
  ]);
});

test("doctor warns of a configured server that cannot start or has no files", async () => {
  const { at } = await place({ "a.zz": "" }, ["here", "theirs/inside"]);
  const [, ...others] = languageFindings(at, {
    fine: { command: ["here"], files: [".yy"] },
    gone: { command: ["nowhere", "--stdio"], files: [".zz"] },
    go: { command: [join(at.workspace, "theirs/inside-not")] },
    idle: { command: ["here"] },
    other: { disabled: true },
    golang: {},
  });
  const wrong = others.filter(({ state }) => state === "warn");
  expect(wrong.map(({ state, words }) => `${state} ${words}`)).toEqual([
    'warn "languageServers.golang" starts nothing: Toolwright knows no such server, and it has no "command"',
    expect.stringMatching(/^warn "languageServers\.gone" cannot start: nowhere is no program/u),
    'warn "languageServers.idle" is for no files, and never starts',
    expect.stringMatching(/^warn "languageServers\.go" cannot start/u),
  ]);
});
