/**
 * Tests that a script which a hook's line runs indirectly is covered by the approval: after a change it does not run
 * (SAFETY 1, row 10).
 */

import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { runCli } from "../main.ts";

let home = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "toolwright-home-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function run(...argv: string[]) {
  const address = "http://127.0.0.1:9";
  const env = {
    HOME: home,
    PATH: process.env["PATH"] ?? "",
    OLLAMA_HOST: address,
    LMSTUDIO_BASE_URL: address,
    LLAMACPP_BASE_URL: address,
    VLLM_BASE_URL: address,
    SGLANG_BASE_URL: address,
  };
  const terminal = testTerminal({ env, cwd: join(home, "work") });
  const code = await runCli(argv, terminal);
  return { code, out: terminal.printed(), err: terminal.reported() };
}

async function put(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, "work", path)), { recursive: true });
    await writeFile(join(home, "work", path), text, { mode: 0o755 });
  }
}

const isMade = (name: string): Promise<boolean> =>
  access(join(home, name)).then(
    () => true,
    () => false,
  );

const shell = (name: string): string => `#!/bin/sh\ntouch "${join(home, name)}"\n`;
const program = (name: string): string =>
  `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(join(home, name))}, "");\n`;
const packages = (name: string): string =>
  JSON.stringify({ scripts: { x: `touch ${JSON.stringify(join(home, name))}` } });

const forms: [line: string, path: string, content: (name: string) => string][] = [
  ["cd scripts && ./x.sh", "scripts/x.sh", shell],
  ["bash scripts/x.sh", "scripts/x.sh", shell],
  ['sh "$(git rev-parse --show-toplevel)/.claude/hooks/x.sh"', ".claude/hooks/x.sh", shell],
  ['cd "$CLAUDE_PROJECT_DIR/.claude/hooks" && ./x.sh', ".claude/hooks/x.sh", shell],
  ['"$(pwd)/scripts/x.sh"', "scripts/x.sh", shell],
  ["${CLAUDE_PROJECT_DIR:-.}/scripts/x.sh", "scripts/x.sh", shell],
  ["find scripts -name '*.sh' -exec sh {} \\;", "scripts/x.sh", shell],
  ['for f in scripts/*.sh; do sh "$f"; done', "scripts/x.sh", shell],
  ["cat scripts/x.sh | sh", "scripts/x.sh", shell],
  ['sh -c "cd scripts && node s.mjs"', "scripts/s.mjs", program],
  ["npm --prefix scripts run x", "scripts/package.json", packages],
];

test.each(forms)(
  "SAFETY 1: after `trust`, `%s` does not run another %s",
  async (command, path, content) => {
    await put({
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/objects/x": "",
      ".git/refs/x": "",
      ".toolwright/config.jsonc": JSON.stringify({ hooks: [{ on: "prompt", name: "theirs", command }] }),
      [path]: content("first"),
    });
    expect((await run("trust", "all")).out).toContain("Agreed to");
    await run("-p", "list", "--offline-model");
    expect(await isMade("first")).toBe(true);
    await put({ [path]: content("second") });
    const changed = await run("-p", "list", "--offline-model");
    expect(changed.err).toContain("! This workspace brings 1 hook; it is not used until you agree");
    expect(await isMade("second")).toBe(false);
  },
  30_000,
);

test("SAFETY 1: commands that cannot be followed are listed beside the hook or server they belong to", async () => {
  await put({
    ".toolwright/config.jsonc": JSON.stringify({
      hooks: [{ on: "prompt", name: "theirs", command: "python3 -m black . && ./x.sh" }],
    }),
    ".mcp.json": JSON.stringify({ mcpServers: { far: { command: "npx", args: ["-y", "far"] } } }),
    "x.sh": shell("first"),
  });
  for (const words of [["trust"], ["trust", "show"]]) {
    const { out } = await run(...words);
    expect(out).toContain("not counted, because");
    expect(out).toMatch(/^ +python3 -m black \.$/mu);
    expect(out).toMatch(/^ +npx -y far$/mu);
    expect(out).toContain("x.sh (");
  }
});

test("a hook that may run more files than are counted is reported and cannot be agreed to", async () => {
  await put({
    ".toolwright/config.jsonc": JSON.stringify({
      hooks: [{ on: "prompt", name: "theirs", command: "run-parts many" }],
    }),
  });
  await put(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`many/${at}`, ""])));
  const { out, err } = await run("trust");
  expect(out).toContain("Nothing in this workspace would run");
  expect(err).toContain('the hook "theirs" cannot be agreed to, so it does not run');
});

test("an unreadable tool server file is reported by `trust`, and once by `doctor`", async () => {
  await put({ ".mcp.json": '{ "mcpServers": ' });
  const { code, out, err } = await run("trust");
  expect(code).toBe(0);
  expect(out).toContain("Nothing in this workspace would run");
  expect(err).toContain("! .mcp.json is no JSON object that can be read");
  expect((await run("doctor")).out.split(".mcp.json is no JSON object")).toHaveLength(2);
});

test("a missing directory is a usage error instead of an empty listing", async () => {
  await put({ "a.txt": "" });
  for (const path of ["no/such/dir", "a.txt"]) {
    const { code, out, err } = await run("trust", "-C", path);
    expect(code).toBe(2);
    expect(out).toBe("");
    expect(err).toContain("There is no directory");
  }
});

test("`all` beside names is refused and changes nothing", async () => {
  await put({
    ".toolwright/config.jsonc": JSON.stringify({ hooks: [{ on: "prompt", name: "a", command: "true" }] }),
  });
  for (const words of [
    ["all", "a"],
    ["a", "all"],
    ["forget", "all", "a"],
  ]) {
    const { code, err } = await run("trust", ...words);
    expect(code).toBe(2);
    expect(err).toContain('"all" means everything');
  }
  expect((await run("trust", "all")).out).toContain("Agreed to");
});
