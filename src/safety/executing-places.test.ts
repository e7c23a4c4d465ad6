/** Issue 18, D5: one table says what executes by itself, and sandbox, file tools and judge all obey it. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { executingPlaces, protectingRow, setsOnlyPlainKeys } from "./executing-places.ts";
import { placeOf } from "./judge/place.ts";
import { indexWorkspace } from "./sandbox/workspace-index.ts";
import { sensitiveFiles } from "./sensitive-files.ts";

const around = { home: "/home/dev", workspace: "/w", directory: "/w" };
const asks = sensitiveFiles();

const rows = executingPlaces.flatMap(({ names, kept }) => names.map((name) => ({ name, kept })));
const sample = (name: string): string => name.replaceAll("*", "x");

function foundIn(paths: readonly string[]): string[] {
  const root = mkdtempSync(join(tmpdir(), "toolwright-executing-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "x");
  }
  return indexWorkspace(root)
    .look()
    .protected.map(({ path }) => relative(root, path))
    .sort();
}

test.each(rows)("$name is $kept everywhere, at any depth and in any case", ({ name, kept }) => {
  for (const path of [sample(name), `a/b/${sample(name)}`, `a/${sample(name).toUpperCase()}`]) {
    expect([path, protectingRow(path) !== undefined]).toEqual([path, kept === "protected"]);
    expect([path, asks(path)?.edit, asks(`${path}/x`)?.edit]).toEqual([path, "ask", "ask"]);
  }
  if (kept === "protected") expect(foundIn([`a/${sample(name)}`])).toHaveLength(1);
});

test("a place that also holds secrets is still marked so", () => {
  for (const path of [".npmrc", "a/.yarnrc.yml"]) expect(asks(path)?.holds).toBe("secret");
});

test("the judge takes the protected dot names from the same table", () => {
  for (const { name, kept } of rows)
    if (kept === "protected" && name.startsWith("."))
      expect([name, placeOf(`sub/${sample(name)}`, around).trust === undefined]).toEqual([name, false]);
});

test.each([
  ".newagent/skills/x/SKILL.md",
  ".newagent/hooks.json",
  ".newagent/mcp.json",
  "deep/er/.some-editor/extensions/x.ts",
  ".x/settings.local.json",
  ".unknown2/hook/pre.sh",
  ".another/skill/x.md",
])("a dot folder that holds %s is taken for an agent's", (path) => {
  const folder = path.slice(0, path.indexOf("/", path.indexOf(".")));
  expect(foundIn([path])).toEqual([folder]);
  expect(asks(path)?.edit).toBe("ask");
});

test.each([
  ".github/agents/x.md",
  ".github/workflows/x.yml",
  "CVS/Entries",
  "devenv.lock",
  "src/project",
  ".storybook/main.ts",
  ".changeset/config.json",
  ".vitepress/config.ts",
  ".yarn/plugins/x.cjs",
  ".config/settings.json",
  ".expo/settings.json",
  "src/hooks/use-x.ts",
  "src/commands/x.ts",
  "extensions/x.ts",
  ".hg/store/data",
  ".jj/repo/store/type",
  ".jj/working_copy/checkout",
  "config.toml",
  "hgrc",
  ".cargo/registry",
  ".bundle/cache",
  "package.json",
  "mise/other.toml",
  ".nvmrc",
  ".eslintrc.json",
  ".env.example",
])("%s is no protected place", (path) => {
  expect(foundIn([path])).toEqual([]);
  expect(protectingRow(path)).toBe(undefined);
});

test.each([
  [".npmrc", "# ours\nengine-strict=true\nsave-exact = true\n", true],
  [".npmrc", "registry=https://evil.example/\n", false],
  [".npmrc", "script-shell=./x\n", false],
  [".npmrc", "engine-strict=true\nnode-options=--require ./x\n", false],
  [".yarnrc.yml", "nodeLinker: node-modules\n\nenableTelemetry: false\n", true],
  [".yarnrc.yml", "yarnPath: .yarn/releases/yarn.cjs\n", false],
  [".bundle/config", '---\nBUNDLE_PATH: "vendor/bundle"\n', true],
  [".bundle/config", 'BUNDLE_BUILD__X: "--with-y"\n', false],
  [".hg/hgrc", "[paths]\ndefault = https://example.org/x\n", true],
  [".hg/hgrc", "[hooks]\ndefault = ./x\n", false],
  [".hg/hgrc", "[paths]\ndefault = x\n[hooks]\nupdate = ./x\n", false],
  [".npmrc", "engine-strict=true\rscript-shell=./x", false],
])("a new %s with %j may stay: %s", (path, text, stays) => {
  const row = protectingRow(path);
  expect(row && setsOnlyPlainKeys(row, text)).toBe(stays);
});
