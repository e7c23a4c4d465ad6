/** Language servers that crash, hang, flood and lie: the work goes on, and the trouble is reported. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ScriptedAnswer } from "../../src/providers/scripted-model.ts";
import { languageSession, oneCall, writeCall } from "../../src/testing/language-session.ts";
import type { LanguageOptions } from "../../src/testing/languages.ts";

async function work(way: string, script: readonly ScriptedAnswer[], options: Partial<LanguageOptions> = {}) {
  const since = performance.now();
  const opened = await languageSession(script, { way, ...options });
  return { ...opened, ms: performance.now() - since };
}

/** Zombies do not count as alive. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

/** Silent servers are waited for only as long as it takes to see that nothing arrives. */
const briefly = { waits: { usual: 300, short: 100 } };

/** The wait ends when the server ends, however busy the machine is. */
const untilItEnds = { waits: { usual: 60_000, short: 60_000 } };

const broken: readonly (readonly [way: string, says: RegExp])[] = [
  ["crash", /ended with exit code 3/],
  ["header", /header without an end/],
  ["noise", /no header: \\?"Listening for connections/],
  ["no-json", /no JSON object/],
  ["huge", /message of 1073741824 bytes/],
];

for (const [way, says] of broken) {
  test(`a server that breaks at a change (${way}) does not fail the change, and is restarted for a later one`, async () => {
    const { results, workspace } = await work(
      way,
      [
        writeCall("a.bad", "BAD\n"),
        [{ call: "run_command", with: { command: "sleep 1.2" } }],
        oneCall("get_diagnostics", { path: "a.bad" }),
      ],
      untilItEnds,
    );
    expect(await workspace.read("a.bad")).toBe("BAD\n");
    expect(results[0]).toMatch(says);
    expect(results[0]).toContain("Changes are not checked.");
    expect(results.at(-1)).toContain("a.bad:1:1 error: BAD is no good");
  });
}

test("a server that cannot start is reported in one sentence, and is not restarted for every request", async () => {
  const { results, warned } = await work("crash-at-start", [
    oneCall("get_diagnostics", { path: "a.bad" }),
    oneCall("get_diagnostics", { path: "a.bad" }),
    writeCall("a.bad", "BAD\n"),
    writeCall("b.bad", "BAD\n"),
  ]);
  const because =
    "The language server test does not run: it ended with exit code 2: error: this program cannot work here.";
  expect(results[0]).toBe(because);
  expect(results[1]).toBe(`${because} It is tried again in a moment.`);
  expect(warned).toEqual([]);
  expect(results[2]).toContain("Changes are not checked.");
  expect(results[3]).not.toContain("Changes are not checked.");
});

test("a program that prints garbage is stopped, and its output is quoted in the error", async () => {
  const { results } = await work("garbage-at-start", [oneCall("get_diagnostics", { path: "a.bad" })]);
  expect(results[0]).toBe(
    `The language server test does not run: it sent something that is no header: "Error: cannot find module 'pygls'".`,
  );
});

test("every request that a server sends its editor is answered, and none changes a file", async () => {
  const { results, told } = await work(
    "asks",
    [writeCall("a.bad", "BAD\n"), oneCall("get_diagnostics", { path: "a.bad" })],
    { configured: { test: { settings: { test: { level: 3 } } } } },
  );
  expect(results[0]).toContain("a.bad:1:1 error: BAD is no good");
  expect(results[1]).toContain("1 error and 0 warnings in a.bad");
  const lines = (await told()).filter((line) => line.startsWith("{"));
  const answers = new Map(
    lines.map((line) => {
      const { id, result, error }: { id: string; result: unknown; error: unknown } = JSON.parse(line);
      return [id.replace("asked ", ""), error === undefined ? result : "an error"];
    }),
  );
  const settings = { test: { level: 3 } };
  const nothing = { applied: false, failureReason: "This client changes files itself." };
  const folders = [expect.objectContaining({ name: expect.any(String) })];
  const expected = [[{ level: 3 }, null, settings, settings], [], null, { success: false }];
  expect([...answers.values()]).toEqual([...expected, null, null, null, nothing, folders, null, null]);
});

test("a server that sends requests endlessly without reading replies is stopped before memory fills", async () => {
  const { results } = await work("deaf", [writeCall("a.bad", "BAD\n")], {
    configured: { test: { settings: { long: "x".repeat(20_000) } } },
  });
  expect(results[0]).toContain("it does not read what it is sent. Changes are not checked.");
});

test("while a server indexes the project, results say that it is still checking", async () => {
  const { results } = await work(
    "indexing",
    [writeCall("a.bad", "BAD\n"), writeCall("b.bad", "x\n"), writeCall("a.bad", "BAD 2\n")],
    { waits: { usual: 300, short: 1 } },
  );
  expect(results.map((words) => words.includes("still checking"))).toEqual([true, true, true]);
});

test("a server that never answers delays a change only for a bounded time, and does not delay closing", async () => {
  const { results, session } = await work("hang", [writeCall("a.bad", "BAD\n")], briefly);
  expect(results[0]).toContain("[test: still checking; new problems come with a later result.]");
  await session.close();
});

// How much arrives before it is stopped depends on the machine: src/addons/languages/flood-gate.test.ts has the figures.
test.each(["flood", "pour"])(
  "a server that floods its client (%s) costs bounded time and memory",
  async (way) => {
    const before = process.memoryUsage().rss;
    const { results, ms } = await work(
      way,
      [
        writeCall("a.bad", "BAD\n"),
        [{ call: "run_command", with: { command: "sleep 1.2" } }],
        writeCall("b.bad", "BAD\n"),
      ],
      { waits: { usual: 5_000, short: 5_000 } },
    );
    expect(results[0]).toMatch(/Changes are not checked\.|still checking/u);
    expect(ms).toBeLessThan(120_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(600 * 1024 ** 2);
  },
);

test("of a hundred thousand problems only some are listed, and the rest are counted", async () => {
  const { results } = await work("many", [
    writeCall("a.bad", "BAD\n"),
    oneCall("get_diagnostics", { path: "a.bad" }),
  ]);
  expect(results[0]).toContain("[test: 500 new errors since this change:");
  expect(results[0]).toContain("and 480 more]");
  expect(results[0]?.length).toBeLessThan(10_000);
  expect(results[1]).toContain("and 480 more");
});

test("diagnostics for outside or missing files and malformed messages are ignored", async () => {
  const { results } = await work("strange", [
    writeCall("a.bad", "fine\n"),
    writeCall("b.bad", "BAD\n"),
    oneCall("get_diagnostics", {}),
  ]);
  expect(results[0]).toContain("[test: no new problems.]");
  expect(results[1]).toContain("[test: 1 new error since this change:\nb.bad:1:1 error: BAD is no good");
  expect(results[2]).toMatch(/^1 error and 0 warnings in the workspace/);
});

test("diagnostics for an older version of a file are ignored", async () => {
  const { results } = await work("late", [
    writeCall("a.bad", "fine\n"),
    writeCall("a.bad", "good\n"),
    oneCall("get_diagnostics", { path: "a.bad" }),
  ]);
  expect(results[1]).toContain("[test: no new problems.]");
  expect(results[2]).toBe("No problems in a.bad (test).");
});

test("when a server sends no diagnostics, every result says that it is still checking", async () => {
  const { results } = await work(
    "silent",
    [writeCall("a.bad", "BAD\n"), writeCall("b.bad", "x\n"), writeCall("a.bad", "BAD 2\n")],
    briefly,
  );
  expect(results.map((words) => words.includes("still checking"))).toEqual([true, true, true]);
});

test("closing the session kills a server that ignores shutdown, and the processes it started", async () => {
  const { session, told } = await work("stubborn", [writeCall("a.bad", "BAD\n")]);
  const started = (await told()).flatMap((line) => /^started (\d+)/.exec(line)?.slice(1) ?? []).map(Number);
  expect(started.map(isAlive)).toEqual([true, true]);
  await session.close();
  await expect.poll(() => started.map(isAlive)).toEqual([false, false]);
});

const refused: readonly (readonly [way: string, says: string])[] = [
  ["overlap", "sent edits of a.bad that overlap"],
  ["outside", 'would change "/etc/hosts", which is outside the workspace'],
  ["beyond", "would edit a.bad at a place that is not in it"],
  ["old-version", "speaks of another version of a.bad"],
];

for (const [way, says] of refused) {
  test(`a rename with an invalid edit (${way}) changes nothing and says why`, async () => {
    const { results, workspace } = await work(way, [
      oneCall("rename_symbol", { path: "a.bad", symbol: "one", newName: "uno" }),
    ]);
    expect(results[0]).toContain(says);
    expect(results[0]).toContain("Nothing was changed.");
    expect(await workspace.read("a.bad")).toBe("one\n");
    expect(await workspace.files()).toEqual(["a.bad", "b.bad"]);
  });
}

test("a rename that moves and creates files is one change, and undo reverts all of it", async () => {
  const { results, workspace, session } = await work("moves", [
    oneCall("rename_symbol", { path: "a.bad", symbol: "one", newName: "uno" }),
  ]);
  expect(results[0]).toContain("Renamed one to uno in ");
  expect(await workspace.files()).toEqual(["b.bad", "new.bad", "uno.bad"]);
  expect(await workspace.read("uno.bad")).toBe("uno\n");
  await session.command({ type: "undo", turn: 1 });
  expect(await workspace.files()).toEqual(["a.bad", "b.bad"]);
  expect(await workspace.read("a.bad")).toBe("one\n");
});

test("late diagnostics reach the model with its next prompt, and keep a turn with errors from ending", async () => {
  const { model, facts } = await work(
    "slow",
    [
      writeCall("a.bad", "BAD\n"),
      [{ call: "run_command", with: { command: "sleep 1.5" } }],
      writeCall("b.bad", "BAD\n"),
      [{ say: "All is well." }],
      writeCall("b.bad", "good\n"),
    ],
    { waits: { usual: 1_000, short: 1_000 } },
  );
  const added = facts().flatMap((fact) => (fact.type === "context-added" ? [fact] : []));
  expect(added).toMatchObject([
    { from: "server", name: "test", text: expect.stringContaining("a.bad:1:1 error: BAD is no good") },
  ]);
  const held = facts().flatMap((fact) => (fact.type === "nudge" ? [fact.text] : []));
  expect(held[0]).toContain("b.bad:1:1 error: BAD is no good");
  expect(model.prompts.length).toBeGreaterThan(5);
});
