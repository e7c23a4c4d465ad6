import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedAnswer } from "../../providers/scripted-model.ts";
import { languageSession, oneCall, resultTexts, writeCall } from "../../testing/language-session.ts";
import { testRow } from "../../testing/languages.ts";

/** Long enough for any machine: the tests end as soon as what they wait for happens. */
const patient = { waits: { usual: 60_000, short: 60_000 } };
const aMoment: ScriptedAnswer = oneCall("run_command", { command: "sleep 1.5" });

test("a result waits while the server reports work in progress, whatever it has sent so far", async () => {
  const { results } = await languageSession([writeCall("a.bad", "BAD\n")], { way: "working", ...patient });
  expect(results[0]).toContain("[test: 1 new error since this change:\na.bad:1:1 error: BAD is no good");
});

test("answers given before the project is loaded are ignored, and the server's limitations are reported once", async () => {
  const { results } = await languageSession(
    [
      oneCall("find_definition", { symbol: "BAD", path: "a.bad" }),
      writeCall("a.bad", "BAD\nmore BAD\n"),
      oneCall("get_diagnostics", { path: "a.bad" }),
      writeCall("a.bad", "fine\n"),
    ],
    { way: "loading", files: { "a.bad": "BAD\n" }, ...patient },
  );
  const lack = "[test: the language server cannot check everything. It says: no index:; read-only disk]";
  expect(results[0]).toContain("a.bad:1:1  BAD");
  expect(results[1]).toContain("[test: 1 new error since this change:\na.bad:2:6 error: more BAD is no good");
  expect(results[1]?.endsWith(lack)).toBe(true);
  expect(results[2]).toContain("2 errors and 0 warnings in a.bad (test):");
  expect(results[2]).not.toContain(lack);
  expect(results[3]?.endsWith("[test: no new problems.]")).toBe(true);
});

test("a server that sends nothing for a clean file is queried, so that no result waits in vain", async () => {
  const asks = { command: "test.ask", each: ["syntax", "meaning"] };
  const { results } = await languageSession(
    [
      oneCall("read_file", { path: "b.bad" }),
      writeCall("a.bad", "still fine\n"),
      writeCall("a.bad", "BAD\n"),
      writeCall("a.bad", "BAD\nBAD\n"),
      writeCall("a.bad", "fine again\n"),
    ],
    { rows: [{ ...testRow("terse"), asks }], ...patient },
  );
  expect(results.slice(1).map((words) => words.slice(words.indexOf("[")))).toEqual([
    "[test: no new problems.]",
    expect.stringContaining("1 new error since this change:\na.bad:1:1 error"),
    expect.stringContaining("1 new error since this change:\na.bad:2:1 error"),
    "[test: no new problems.]",
  ]);
});

test("an unversioned diagnostics list counts for a file opened with its content on disk", async () => {
  const { results } = await languageSession(
    [
      oneCall("get_diagnostics", { path: "a.bad" }),
      oneCall("read_file", { path: "b.bad" }),
      writeCall("a.bad", "BAD\n"),
    ],
    { rows: [{ ...testRow("no-version"), namesVersions: true }], ...patient },
  );
  expect(results[0]).toBe("No problems in a.bad (test).");
  expect(results[2]).toContain("[test: 1 new error since this change:\na.bad:1:1 error");
});

test("problems found in other files after the result are added before the model's next answer", async () => {
  const { results, facts } = await languageSession(
    [oneCall("read_file", { path: "b.bad" }), writeCall("a.bad", "fine\n"), aMoment],
    { way: "others" },
  );
  expect(results[1]).toContain("[test: no new problems.]");
  const added = facts().flatMap((fact) => (fact.type === "context-added" ? [fact.text] : []));
  expect(added).toEqual([
    "[test: 1 new error since this change:\nb.bad:1:1 error: broken from elsewhere\n    two\n]",
  ]);
});

test("diagnostics of a text that has since been replaced are not reported", async () => {
  const { facts, ask, workspace } = await languageSession(
    [writeCall("a.bad", "fine\n"), writeCall("a.bad", "BAD\n")],
    {
      way: "slow",
      waits: { usual: 1, short: 1 },
    },
  );
  await writeFile(join(workspace.root, "a.bad"), "mended\n");
  await ask("I have mended it.");
  await ask("And now?");
  expect(facts().filter(({ type }) => type === "context-added")).toEqual([]);
});

test("a query during the first check of a change does not hide the problems that the change caused", async () => {
  const { results, facts } = await languageSession(
    [
      oneCall("get_diagnostics", { path: "b.bad" }),
      writeCall("a.bad", "BAD\n"),
      oneCall("find_references", { symbol: "two", path: "b.bad" }),
      aMoment,
    ],
    { way: "slow-start", waits: { usual: 1, short: 1 } },
  );
  expect(results[1]).toContain("still checking");
  const added = facts().flatMap((fact) => (fact.type === "context-added" ? [fact.text] : []));
  expect(added).toEqual([expect.stringContaining("a.bad:1:1 error: BAD is no good")]);
});

test("servers are notified of people's file changes before a query and before a turn's first change", async () => {
  const { ask, facts, workspace, told } = await languageSession(
    [
      oneCall("get_diagnostics", { path: "a.bad" }),
      [{ say: "first" }],
      oneCall("get_diagnostics", { path: "a.bad" }),
      [{ say: "second" }],
      writeCall("a.bad", "BAD\n"),
    ],
    { files: { "a.bad": "one\n", "b.bad": "two\n", "sub/c.bad": "three\n" } },
  );
  const at = (path: string): string => join(workspace.root, path);
  await writeFile(at("new.bad"), "new\n");
  await writeFile(at("b.bad"), "longer than it was\n");
  await rm(at("sub/c.bad"));
  await ask("again");
  const first = (await told()).filter((line) => line.startsWith("watched"));
  expect(first.toSorted()).toEqual(["watched b.bad 2", "watched new.bad 1", "watched sub/c.bad 3"]);
  await writeFile(at("sub/d.bad"), "four\n");
  await ask("and again");
  expect(resultTexts(facts()).at(-1)).toContain("a.bad:1:1 error: BAD is no good");
  const all = (await told()).filter((line) => line.startsWith("watched"));
  expect(all.slice(3)).toEqual(["watched sub/d.bad 1", "watched a.bad 2"]);
});

test("a server that checks on save gets a save for the changed file, or else for any open file", async () => {
  const { told } = await languageSession(
    [
      oneCall("get_diagnostics", { path: "a.bad" }),
      writeCall("a.bad", "good\n"),
      oneCall("run_command", { command: "rm b.bad" }),
    ],
    { way: "good" },
  );
  expect((await told()).filter((line) => line.startsWith("saved"))).toEqual(["saved a.bad", "saved a.bad"]);
});
