import { existsSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { languageSession, oneCall, resultTexts, writeCall } from "../../testing/language-session.ts";
import {
  languageAddons,
  type LanguageOptions,
  testRow,
  uncontainedForTests,
} from "../../testing/languages.ts";
import { testSession } from "../../testing/session.ts";
import { temporaryWorkspace } from "../../testing/workspace.ts";
import { tools } from "../../tools/index.ts";
import { describeTool } from "../../tools/tool.ts";
import type { TrustItem } from "../trust.ts";
import { languageTools } from "./part.ts";
import { serverRows } from "./rows.ts";

async function work(...about: Parameters<typeof languageSession>) {
  const opened = await languageSession(...about);
  const tools = opened.model.prompts.map((prompt) =>
    prompt.tools.map(({ name }) => name).filter((name) => ours.includes(name)),
  );
  return { ...opened, tools };
}

const ours = ["get_diagnostics", "find_definition", "find_references", "rename_symbol"];

const fresh = (where: string, line: string): string =>
  `[test: 1 new error since this change:\n${where} error: ${line} is no good (test B1)\n    ${line}\n]`;

for (const way of ["good", "pull"]) {
  test(`A24: an edit's result says what is new, once, and that all is well (${way})`, async () => {
    const { results } = await work(
      [
        oneCall("read_file", { path: "b.bad" }),
        writeCall("a.bad", "one\nsome BAD thing\n"),
        writeCall("a.bad", "a line\none\nsome BAD thing\n"),
        writeCall("a.bad", "BAD\none\nsome BAD thing\n"),
        writeCall("a.bad", "ODD\none\n"),
        writeCall("c.bad", "new and BAD\n"),
      ],
      { way, files: { "a.bad": "one\n", "b.bad": "old BAD\n" } },
    );
    expect(results.slice(1).map((words) => words.slice(words.indexOf("[")))).toEqual([
      fresh("a.bad:2:6", "some BAD thing"),
      "[test: no new problems.]",
      fresh("a.bad:1:1", "BAD"),
      "[test: no new errors, 1 new warning.]",
      fresh("c.bad:1:9", "new and BAD"),
    ]);
  });
}

test("A23: path, file and filePath are synonyms; without one, the whole workspace is checked", async () => {
  const { results } = await work(
    [
      oneCall("get_diagnostics", { path: "a.bad" }),
      oneCall("get_diagnostics", { file: "a.bad" }),
      oneCall("get_diagnostics", { filePath: "a.bad" }),
      oneCall("get_diagnostics", {}),
      oneCall("get_diagnostics", { path: "sub" }),
      oneCall("get_diagnostics", { path: "c.txt" }),
      oneCall("get_diagnostics", { path: "../x.bad" }),
    ],
    { files: { "a.bad": "ODD\nBAD\n", "sub/b.bad": "fine\n", "c.txt": "x" } },
  );
  const one =
    "1 error and 1 warning in a.bad (test):\na.bad:2:1 error: BAD is no good (test B1)\n    BAD\na.bad:1:1 warning: ODD is no good (test B1)\n    ODD";
  expect(results.slice(0, 5)).toEqual([
    one,
    one,
    one,
    one.replace("in a.bad", "in the workspace"),
    "No problems in sub (test).",
  ]);
  expect(results[5]).toBe("No language server is known for .txt files.");
  expect(results[6]).toContain("outside the workspace");
});

test("tools are offered only if a server is found for the workspace's files", async () => {
  expect((await work([])).tools[0]).toEqual(ours);
  expect((await work([], { files: { "a.txt": "x" } })).tools[0]).toEqual([]);
  expect((await work([], { configured: false })).tools[0]).toEqual([]);
  expect((await work([], { path: "/nonexistent" })).tools[0]).toEqual([]);
});

test("an untrusted workspace's server is not started; consent takes effect with the next message", async () => {
  let agreed = false;
  const row = testRow("good");
  const marker = "started";
  const script = `#!/bin/sh\ntouch "$(dirname "$0")/../../${marker}"\nexec "${process.execPath}" "$@"\n`;
  const workspace = await temporaryWorkspace({ "a.bad": "x\n" });
  onTestFinished(() => workspace.remove());
  await mkdir(join(workspace.root, "node_modules/.bin"), { recursive: true });
  const program = join(workspace.root, "node_modules/.bin/bad-server");
  await writeFile(program, script);
  await chmod(program, 0o755);
  const rows = [{ ...row, programs: row.programs.map((one) => ({ ...one, name: "bad-server" })) }];
  const seen = { warned: new Array<string>(), asked: new Array<TrustItem>() };
  const model = scriptedModel([
    writeCall("a.bad", "BAD\n"),
    [{ call: "get_diagnostics", with: {} }],
    [{ say: "first" }],
    writeCall("a.bad", "BAD 2\n"),
    [{ say: "second" }],
  ]);
  const addons = languageAddons(
    {
      rows,
      workspace: workspace.root,
      path: "/usr/bin:/bin",
      contain: uncontainedForTests,
      trusts: () => agreed,
    },
    seen,
  );
  const session = await testSession(model, { workspace, mode: "auto", addons });
  onTestFinished(() => session.close().catch(() => undefined));
  await session.ask("go");
  expect(existsSync(join(workspace.root, marker))).toBe(false);
  expect(resultTexts(session.facts())[1]).toContain('"get_diagnostics" does not exist');
  expect(seen.asked[0]).toMatchObject({
    kind: "language-server",
    name: "test",
    where: "node_modules/.bin/bad-server",
  });
  agreed = true;
  await session.ask("go on");
  expect(existsSync(join(workspace.root, marker))).toBe(true);
  expect(model.prompts.at(-1)?.tools.map(({ name }) => name)).toContain("get_diagnostics");
  expect(resultTexts(session.facts()).at(-1)).toContain("a.bad:1:1 error: BAD 2 is no good");
});

const noSandbox: LanguageOptions["contain"] = () => Promise.resolve({ ok: false, problem: "There is none." });

test("without a sandbox, a server runs only if the user's configuration names it, and a notice says so", async () => {
  const not = await work(
    [writeCall("a.bad", "BAD\n"), writeCall("b.bad", "BAD\n"), oneCall("get_diagnostics", {})],
    {
      contain: noSandbox,
    },
  );
  expect(not.results[0]).toContain(
    'would run without a sandbox here. Who wants it all the same names it in the configuration: "languageServers": { "test": {} }. Changes are not checked.]',
  );
  expect(not.results[1]).not.toContain("sandbox");
  expect(not.results[2]).toContain("would run without a sandbox here");
  expect(await not.told()).toEqual([]);
  const named = await work([writeCall("a.bad", "BAD\n")], { contain: noSandbox, configured: { test: {} } });
  expect(named.results[0]).toContain("a.bad:1:1 error: BAD is no good");
});

test("a configured server that is unknown and has no command is reported to the person", async () => {
  const { warned } = await work([], { configured: { tset: {}, test: {} } });
  expect(warned).toEqual([
    '"languageServers.tset" starts nothing: Toolwright knows no such server, and it has no "command". Correct the name, or give it "command" and "files".',
  ]);
});

test("staged changes are not checked", async () => {
  const { results, told } = await work([writeCall("a.bad", "BAD\n")], { session: { mode: "staged" } });
  expect(results[0]).not.toContain("[test");
  expect(await told()).toEqual([]);
});

test("servers are notified of changes by commands, undo and other programs", async () => {
  const { session, model, ask, workspace, told } = await work([
    writeCall("a.bad", "BAD\n"),
    [{ call: "run_command", with: { command: "echo BAD there > b.bad; echo x > new.bad" } }],
    [{ say: "first" }],
    oneCall("get_diagnostics", {}),
  ]);
  expect(model.prompts).toHaveLength(3);
  await session.command({ type: "undo", turn: 1 });
  await writeFile(join(workspace.root, "b.bad"), "fine\nBAD\n");
  await ask("again");
  expect(resultTexts(session.log.entries).at(-1)).toBe(
    "1 error and 0 warnings in the workspace (test):\nb.bad:2:1 error: BAD is no good (test B1)\n    BAD",
  );
  expect(await told()).toEqual(expect.arrayContaining(["watched a.bad 2", "watched b.bad 2"]));
});

test("definitions and references are listed with their lines; outside the workspace, only with positions", async () => {
  const { results } = await work([
    oneCall("find_definition", { symbol: "one", path: "a.bad" }),
    oneCall("find_references", { symbol: "one", path: "a.bad", line: 1 }),
    oneCall("find_references", { symbol: "two" }),
    oneCall("find_definition", { symbol: "three", path: "a.bad" }),
  ]);
  expect(results[0]).toBe("a.bad:1:1  one\nlib/other.bad (outside the workspace):10:1");
  expect(results[1]).toBe("a.bad:1:1  one");
  expect(results[2]).toContain("The language server test: not known.");
  expect(results[3]).toBe("three does not stand in a.bad.");
});

const onlyShown = { rows: [{ ...testRow("shown"), knowsOnlyShown: true as const }] };

test("a server that knows only opened files is shown all files containing the symbol before a query", async () => {
  const { results, workspace } = await work(
    [
      oneCall("find_references", { symbol: "one", path: "a.bad" }),
      oneCall("rename_symbol", { path: "a.bad", symbol: "one", new_name: "uno" }),
    ],
    { ...onlyShown, files: { "a.bad": "one\n", "b.bad": "two ones\n", "sub/c.bad": "a one\n" } },
  );
  expect(results[0]).toBe("a.bad:1:1  one\nsub/c.bad:1:3  a one");
  expect(results[1]).toContain("Renamed one to uno in a.bad, sub/c.bad.");
  expect(await workspace.read("sub/c.bad")).toBe("a uno\n");
  expect(await workspace.read("b.bad")).toBe("two ones\n");
});

test("a rename that would need too many opened files is refused instead of done in part", async () => {
  const many = Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`f${at}.bad`, "one\n"]));
  const { results, workspace } = await work(
    [
      oneCall("find_references", { symbol: "one", path: "f0.bad" }),
      oneCall("rename_symbol", { path: "f0.bad", symbol: "one", new_name: "uno" }),
    ],
    { ...onlyShown, files: many },
  );
  expect(results[0]).toContain("there may be more");
  expect(results[1]).toContain("some would keep the old name. Nothing was changed.");
  expect(await workspace.read("f0.bad")).toBe("one\n");
});

test("A24: diagnostics of the already changed file on disk do not count as earlier ones", async () => {
  const { results } = await work([writeCall("a.bad", "BAD\n")], {
    rows: [{ ...testRow("disk"), namesVersions: true }],
  });
  expect(results[0]).toContain("[test: 1 new error since this change:\na.bad:1:1 error");
});

test("a rename starts at the symbol's definition, so that it covers all files", async () => {
  const { results, workspace } = await work(
    [oneCall("rename_symbol", { path: "a.bad", symbol: "one", new_name: "uno" })],
    { way: "imported", files: { "a.bad": "one\n", "b.bad": "one\n" } },
  );
  expect(results[0]).toContain("Renamed one to uno in b.bad, a.bad.");
  expect([await workspace.read("a.bad"), await workspace.read("b.bad")]).toEqual(["uno\n", "uno\n"]);
});

test("a rename asks for approval with its diff, and a denied one changes nothing", async () => {
  const { facts, workspace } = await work(
    [oneCall("rename_symbol", { path: "a.bad", symbol: "one", new_name: "uno" })],
    { session: { mode: "ask" }, answer: "deny" },
  );
  const asked = facts().find((fact) => fact.type === "approval-asked");
  expect(asked).toMatchObject({
    title: "Rename one in a.bad to uno",
    preview: expect.stringContaining("+uno"),
  });
  expect(await workspace.read("a.bad")).toBe("one\n");
});

test.each(["not a name", "2nd", "Cart.sum", "a-b", "a();", ""])(
  "a rename to %j, which is not a valid name, changes nothing",
  async (newName) => {
    const { results, workspace } = await work([
      oneCall("rename_symbol", { path: "a.bad", symbol: "one", new_name: newName }),
    ]);
    expect(results[0]).toMatch(/is no name for a symbol: give one word\. Nothing was changed\./u);
    expect(await workspace.read("a.bad")).toBe("one\n");
  },
);

test("a file type that first appears during the session is checked as well", async () => {
  const other = { ...testRow("good"), name: "other", files: { ".worse": "worse" }, marks: [] };
  const { results } = await work([writeCall("new.worse", "BAD\n")], { rows: [testRow("good"), other] });
  expect(results[0]).toContain("[other: 1 new error since this change:\nnew.worse:1:1 error");
});

test("files and servers added during the session are detected", async () => {
  const machine = await temporaryWorkspace({});
  onTestFinished(() => machine.remove());
  const link = join(machine.root, basename(process.execPath));
  const { results, tools } = await work(
    [
      writeCall("a.bad", "BAD\n"),
      oneCall("run_command", { command: `ln -s ${process.execPath} ${link}` }),
      writeCall("a.bad", "BAD 2\n"),
      oneCall("get_diagnostics", {}),
    ],
    { files: {}, path: machine.root },
  );
  expect(tools.map((names) => names.length)).toEqual([0, 0, 0, ours.length, ours.length]);
  expect(results[0]).not.toContain("[test");
  expect(results[2]).toContain("a.bad:1:1 error: BAD 2 is no good");
  expect(results[3]).toContain("1 error and 0 warnings in the workspace (test)");
});

test("a lookup that finds no symbol at the first occurrence tries the next one", async () => {
  const { results } = await work([oneCall("find_definition", { symbol: "one", path: "a.bad" })], {
    way: "comment",
    files: { "a.bad": "what one is\none\n" },
  });
  expect(results[0]).toContain("a.bad:1:1  what one is");
});

test("each known server lists its file types, programs and installation", () => {
  for (const row of serverRows) {
    expect(Object.keys(row.files).every((end) => /^\.[a-z]+$/.test(end))).toBe(true);
    expect(row.install).not.toBe("");
    expect(row.programs.length).toBeGreaterThan(0);
  }
  const ends = serverRows.flatMap((row) => Object.keys(row.files));
  expect(new Set(ends).size).toBe(ends.length);
});

test("tool descriptions with a language server stay small enough for a first request of 9 KB", () => {
  const told = [...tools.filter(({ modes }) => modes === undefined), ...languageTools].map(describeTool);
  const sent = told.map(({ name, description, schema }) => ({ name, description, schema }));
  expect(JSON.stringify(sent).length).toBeLessThan(7_300);
});

test("symbols are found by a part of their name once a server runs; asking for them starts none", async () => {
  const { session, told } = await work([oneCall("read_file", { path: "a.bad" })], {
    way: "symbols",
    files: { "a.bad": "one\nsome thing\n" },
  });
  const { signal } = new AbortController();
  expect(await session.symbols("thin", signal)).toEqual([]);
  expect(await told()).toEqual([]);
  const running = await work([oneCall("get_diagnostics", { path: "a.bad" })], {
    way: "symbols",
    files: { "a.bad": "one\nsome thing\n" },
  });
  expect(await running.session.symbols("thin", signal)).toEqual([
    { name: "thinSymbol", path: "a.bad", line: 2, kind: "function" },
  ]);
});

test("what a server does is told only while somebody waits for it", async () => {
  const workspace = await temporaryWorkspace({ "a.bad": "one\n" });
  onTestFinished(() => workspace.remove());
  const log = `${workspace.root}.log`;
  onTestFinished(() => rm(log, { force: true }));
  const model = scriptedModel([writeCall("a.bad", "one\nBAD\n"), [{ say: "Done." }]]);
  const addons = languageAddons(
    {
      rows: [testRow("indexing", log)], // which it does without end
      workspace: workspace.root,
      path: dirname(process.execPath),
      contain: uncontainedForTests,
    },
    { warned: [], asked: [] },
  );
  const opened = await testSession(model, { workspace, mode: "auto", addons });
  onTestFinished(() => opened.close().catch(() => undefined));
  const { session } = opened;
  const over = opened.ask("go");
  await expect
    .poll(() => session.works().map(({ what }) => what))
    .toEqual(["language server test: Indexing"]);
  await session.command({ type: "interrupt", by: "terminal" });
  await over;
  expect(session.works()).toEqual([]);
});
