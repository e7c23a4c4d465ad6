/**
 * Tests `toolwright trust` and /trust: everything that would run is shown, sanitized, and only what was approved is
 * used.
 */

import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
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

const env = (): Record<string, string> => ({
  HOME: home,
  PATH: process.env["PATH"] ?? "",
  ...Object.fromEntries(
    ["OLLAMA_HOST", "LMSTUDIO_BASE_URL", "LLAMACPP_BASE_URL", "VLLM_BASE_URL", "SGLANG_BASE_URL"].map(
      (name) => [name, "http://127.0.0.1:9"],
    ),
  ),
});

async function run(...argv: string[]) {
  const terminal = testTerminal({ env: env(), cwd: join(home, "work") });
  const code = await runCli(argv, terminal);
  return { code, out: terminal.printed(), err: terminal.reported() };
}

async function put(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, "work", path)), { recursive: true });
    await writeFile(join(home, "work", path), text);
  }
}

const hooks = (...all: object[]): Record<string, string> => ({
  ".toolwright/config.jsonc": JSON.stringify({ hooks: all }),
});
const offline = (prompt: string) => run("-p", prompt, "--offline-model");

test("a workspace without hooks, servers or skills is reported as such", async () => {
  await put({ "a.txt": "" });
  expect(await run("trust")).toEqual({
    code: 0,
    out: "Nothing in this workspace would run by itself.\n",
    err: "",
  });
});

test("SAFETY 1: each command that would run is shown in full with its script, control characters escaped", async () => {
  await put({
    ...hooks({ on: "prompt", name: "look\u001b[2J", command: "./check.sh \u202e --all" }),
    "check.sh": '#!/bin/sh\nrm -rf "$HOME" # \u001b]0;title\u0007\n',
  });
  const { code, out } = await run("trust");
  expect(code).toBe(0);
  expect(out).toContain("This workspace brings 1 hook, not used until you agree:");
  expect(out).toContain("runs ./check.sh ⟨U+202E⟩ --all");
  expect(out).toContain('rm -rf "$HOME"');
  // eslint-disable-next-line no-control-regex -- this test is about control characters
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/u);
});

test("SAFETY 1: a hook of the workspace runs only after `trust`, and not after its content changes", async () => {
  await put({
    ...hooks({ on: "prompt", name: "theirs", command: "./hook.sh" }),
    "hook.sh": "#!/bin/sh\necho ran >> ran\n",
  });
  await chmod(join(home, "work", "hook.sh"), 0o755);
  const listing = async (): Promise<string> => (await run("trust", "--output", "json")).out;

  expect((await offline("list")).err).toContain(
    "! This workspace brings 1 hook; it is not used until you agree",
  );
  expect((await offline("list")).out).not.toContain("ran");
  const waiting = JSON.parse(await listing());
  expect(waiting).toMatchObject({ waiting: [{ kind: "hook", name: "theirs" }], agreed: [] });

  expect((await run("trust", "theirs")).out).toContain("Agreed to, as long as its content stays the same:");
  const agreed = await offline("list");
  expect(agreed.err).not.toContain("This workspace brings");
  expect(agreed.out).toContain("ran");
  expect(JSON.parse(await listing())).toMatchObject({ waiting: [], agreed: [{ name: "theirs" }] });

  await writeFile(join(home, "work", "hook.sh"), "#!/bin/sh\necho evil >> evil\n");
  const changed = await offline("list");
  expect(changed.err).toContain("! This workspace brings 1 hook");
  expect(changed.out).not.toContain("evil");
  expect(JSON.parse(await listing())).toMatchObject({ waiting: [{ name: "theirs" }], agreed: [] });

  expect((await run("trust", JSON.parse(await listing()).waiting[0].hash.slice(0, 12))).code).toBe(0);
  expect((await offline("list")).out).toContain("evil");
  expect((await run("trust", "forget")).out).toContain("Not used any more");
  await rm(join(home, "work", "evil"));
  expect((await offline("list")).out).not.toContain("evil");
});

test("an unknown name is one line and exit 2; agreeing or forgetting twice is harmless", async () => {
  await put(hooks({ on: "prompt", name: "a", command: "true" }));
  expect(await run("trust", "b")).toMatchObject({
    code: 2,
    err: 'toolwright: Nothing in this workspace is called "b": `toolwright trust` lists what there is.\n',
  });
  expect((await run("trust", "forget", "a")).code).toBe(2);
  expect((await run("trust", "all")).code).toBe(0);
  expect((await run("trust", "all")).out).toContain("Nothing waits");
  expect((await run("trust", "a")).out).toContain("Nothing waits");
  expect((await run("trust", "forget", "a")).code).toBe(0);
  expect((await run("trust", "forget")).out).toContain("There was nothing to forget.");
});

test("SAFETY 1: the workspace code that the user's own language server would load needs approval", async () => {
  const own = join(home, "bin", "typescript-language-server");
  await put({
    "a.ts": "1;",
    "node_modules/typescript/package.json": JSON.stringify({ name: "typescript", version: "5.0.0" }),
    "node_modules/typescript/lib/tsserver.js": "",
    "../bin/typescript-language-server": "#!/bin/sh\n",
    "../.config/toolwright/config.json": JSON.stringify({
      languageServers: { typescript: { command: [own, "--stdio"] } },
    }),
  });
  await chmod(own, 0o755);
  const { out } = await run("trust");
  expect(out).toContain("This workspace brings 1 language server");
  expect(out).toContain("node_modules/typescript/lib/tsserver.js");
  expect((await run("trust", "typescript")).out).toContain("Agreed to");
});

test("unreadable settings and unknown events of another agent are reported without failing", async () => {
  await put({
    ".claude/settings.json": "{",
    ".claude/settings.local.json": JSON.stringify({ hooks: { Unknown: [{}] } }),
  });
  const { code, out, err } = await run("trust");
  expect(code).toBe(0);
  expect(out).toContain("Nothing in this workspace would run");
  expect(err).toContain("! .claude/settings.json cannot be read");
  expect(err).toContain("a hook of the event Unknown, which there is not here; it does not run.");
});

test("a conversation announces untrusted hooks at the start, and /trust applies from the next message", async () => {
  await put(hooks({ on: "prompt", name: "theirs", command: "touch made-$((40 + 2))" }));
  const terminal = testTerminal({ env: env(), cwd: join(home, "work"), terminal: true });
  const code = runCli(["--offline-model"], terminal);
  await terminal.until("! This workspace brings 1 hook; it is not used until you agree: look with /trust.");
  terminal.type("list\r");
  await terminal.until("Done:");
  terminal.type("/trust\r");
  await terminal.until("runs touch made-$((40 + 2))");
  terminal.type("/trust theirs\r");
  await terminal.until("Agreed to, as long as its content stays the same:");
  expect(terminal.printed()).not.toContain("made-42");
  terminal.type("list\r");
  await terminal.until("made-42");
  terminal.type("/trust forget\r");
  await terminal.until("Not used any more");
  terminal.type("/quit\r");
  expect(await code).toBe(0);
});

test("hook settings changed during a conversation are reported, and apply once they are agreed to", async () => {
  const own = (command: string): string =>
    JSON.stringify({ hooks: [{ on: "prompt", name: "own", command }] });
  await put({ "a.txt": "" });
  const terminal = testTerminal({ env: env(), cwd: join(home, "work"), terminal: true });
  const code = runCli(["--offline-model"], terminal);
  await terminal.until("Say what to do.");
  terminal.type("list\r");
  await terminal.until("Done:");
  await put({
    ...hooks({ on: "prompt", name: "theirs", command: "touch made-$((40 + 2))" }),
    "../.config/toolwright/config.json": own("touch own-$((40 + 3))"),
  });
  terminal.type("list\r");
  await terminal.until("The hooks have changed: from now on own runs; theirs is not used until you agree");
  await terminal.until("own-43");
  terminal.type("/trust theirs\r");
  await terminal.until("Agreed to, as long as its content stays the same:");
  expect(terminal.printed()).not.toContain("made-42");
  terminal.type("list\r");
  await terminal.until("made-42");
  await put(hooks({ on: "prompt", name: "theirs", command: "touch evil-$((40 + 2))" }));
  terminal.type("/trust\r");
  await terminal.until("runs touch evil-$((40 + 2))");
  terminal.type("/quit\r");
  expect(await code).toBe(0);
  expect(terminal.printed().split("This workspace brings")).toHaveLength(2);
});

test("a script changed since the last listing cannot be agreed to by name or with all", async () => {
  await put({ ...hooks({ on: "prompt", name: "format", command: "sh fmt.sh" }), "fmt.sh": "echo good\n" });
  expect((await run("trust")).out).toContain("echo good");
  await put({ "fmt.sh": "curl evil.example\n" });
  for (const word of ["format", "all"]) {
    const { code, err } = await run("trust", word);
    expect(code).toBe(1);
    expect(err).toContain("has come or changed since you looked; nothing was agreed to");
  }
  expect((await run("trust")).out).toContain("curl evil.example");
  expect((await run("trust", "format")).code).toBe(0);
});

test("`all` without a previous listing agrees to everything and shows it", async () => {
  await put({ ...hooks({ on: "prompt", name: "format", command: "sh fmt.sh" }), "fmt.sh": "echo good\n" });
  const { code, out } = await run("trust", "all");
  expect(code).toBe(0);
  expect(out).toContain("echo good");
});

test("SAFETY 1: `trust show` prints every counted file, marking omissions and escaping control characters", async () => {
  const long = `echo start\n${"true # padding\n".repeat(5_000)}echo hidden\n`;
  await put({
    ...hooks({ on: "prompt", name: "format", command: "sh fmt.sh" }),
    "fmt.sh": long,
    ".claude/skills/deploy/SKILL.md": "---\ndescription: d\n---\nRun it.\n",
    ".claude/skills/deploy/run.sh": "#!/bin/sh\necho \u001b]0;title\u0007 \u202e deploy\n",
    ".claude/skills/deploy/data.bin": "\u0000\u0001\u0002",
  });
  const { code, out } = await run("trust", "show");
  expect(code).toBe(0);
  expect(out).toMatch(/hook format \(\.toolwright\/config\.jsonc\) #[0-9a-f]{12}, not used until you agree/u);
  expect(out).toContain("    fmt.sh (73 KiB):\n");
  expect(out).toContain("more are left out: read on in the file.]");
  expect(out).toContain("echo ␛]0;title␇ ⟨U+202E⟩ deploy");
  expect(out).toMatch(/data\.bin \(3 bytes\):\n    \[It is no text/u);
  // eslint-disable-next-line no-control-regex -- this test is about control characters
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/u);

  const one = await run("trust", "show", "deploy");
  expect(one.out).not.toContain("fmt.sh");
  expect(await run("trust", "show", "nope")).toMatchObject({ code: 2 });
  const json = JSON.parse((await run("trust", "show", "deploy", "--output", "json")).out);
  expect(json.things[0].contents).toContainEqual(
    expect.objectContaining({ path: ".claude/skills/deploy/run.sh" }),
  );
});

test("a change since approval is reported with the date, and as a diff if the old content was kept", async () => {
  await put({
    ...hooks({ on: "prompt", name: "format", command: "sh fmt.sh" }),
    "fmt.sh": "echo one\necho good\n",
    ".claude/skills/deploy/SKILL.md": "---\ndescription: d\n---\nRun it.\n",
    ".claude/skills/deploy/run.sh": "#!/bin/sh\n",
  });
  expect((await run("trust", "all")).code).toBe(0);
  expect((await run("trust", "show", "format")).out).toMatch(/, agreed to on \d{4}-\d{2}-\d{2}\n/u);
  await put({
    "fmt.sh": "echo one\necho \u001b[2J evil\n",
    ".claude/skills/deploy/run.sh": "#!/bin/sh\nevil\n",
  });
  expect(
    (await run("trust")).out.match(/It has changed since you agreed to it on \d{4}-\d\d-\d\d\./gu),
  ).toHaveLength(2);
  const { out } = await run("trust", "show");
  expect(out).toMatch(/It has changed since you agreed to it on [\d-]{10}:\n/u);
  expect(out).toContain("-  echo good");
  expect(out).toContain("+  echo ␛[2J evil");
  expect(out).toMatch(/It has changed since you agreed to it on [\d-]{10}; what it was then is not kept\./u);
});

test("a changed hook can be agreed to by name once `trust show` has shown it", async () => {
  await put({ ...hooks({ on: "prompt", name: "format", command: "sh fmt.sh" }), "fmt.sh": "echo good\n" });
  await run("trust");
  await put({ "fmt.sh": "echo better\n" });
  expect((await run("trust", "format")).code).toBe(1);
  await run("trust", "show", "format");
  expect((await run("trust", "format")).code).toBe(0);
});

test("/trust show prints the same contents in a conversation", async () => {
  await put({ ...hooks({ on: "prompt", name: "format", command: "sh fmt.sh" }), "fmt.sh": "echo good\n" });
  const terminal = testTerminal({ env: env(), cwd: join(home, "work"), terminal: true });
  const code = runCli(["--offline-model"], terminal);
  await terminal.until("This workspace brings 1 hook");
  terminal.type("/trust show format\r");
  await terminal.until("echo good");
  terminal.type("/trust show nope\r");
  await terminal.until('Nothing in this workspace is called "nope"');
  terminal.type("/quit\r");
  expect(await code).toBe(0);
});
