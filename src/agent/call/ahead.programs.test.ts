import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { stateDirectory } from "../../base/paths.ts";
import { ownDirectory } from "../../safety/sandbox/runs.ts";
import { findSandbox } from "../../safety/sandbox/sandbox.ts";
import { factsOf, outcomesOf, scriptedSession, toldIn } from "../../testing/scripted-session.ts";
import type { TestSessionOptions } from "../../testing/session.ts";
import { changesNothing, together } from "../extensions.ts";

/** Tried once for all tests. */
const sandbox = findSandbox();

/** The first command of an answer waits for what a file says, so that the next ones are ahead of their turn. */
const gate = "until grep -q open gate; do sleep 0.01; done";

/** Overlays of commands, by what they have written so far. */
const overlays = (): string[][] => {
  const own = ownDirectory(stateDirectory(process.env));
  const names = existsSync(own) ? readdirSync(own).filter((name) => name.startsWith("layer-")) : [];
  return names.map((name) => readdirSync(join(own, name, "upper")));
};

/** An answer with these commands, until one of them has written this file into its overlay. */
async function begun(commands: readonly string[], wrote: string, options: TestSessionOptions = {}) {
  const calls = commands.map((command) => ({ call: "run_command", with: { command } }));
  const opened = await scriptedSession([calls, [{ say: "Done." }]], {
    sandbox: () => sandbox,
    mode: "auto",
    ...options,
    files: { gate: "shut", ...options.files },
  });
  const { root } = opened.workspace;
  const over = opened.ask("go");
  await vi.waitFor(() => expect(overlays().flat()).toContain(wrote), { timeout: 60_000, interval: 10 });
  return {
    ...opened,
    over,
    open: () => writeFileSync(join(root, "gate"), "open"),
    isThere: (path: string) => existsSync(join(root, path)),
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    ahead: () => factsOf(opened.facts(), "call-start").map(({ ahead }) => ahead),
  };
}

const ran = { ms: expect.any(Number) };

test("a command runs before its turn, is seen by nobody, and is taken over and told when its turn has come", async () => {
  const heard: string[] = [];
  const one = await begun([`${gate}; echo 1 > one`, "echo told; echo 2 > two"], "two");
  one.session.log.listen((event) => {
    if (["output-delta", "call-start", "change-applied", "result"].includes(event.type))
      heard.push(`${event.type} ${"callId" in event ? event.callId : ""}`);
  });
  expect([one.isThere("two"), one.ahead().length]).toEqual([false, 1]);
  one.open();
  await one.over;
  expect([one.read("one"), one.read("two"), outcomesOf(one.facts())]).toEqual(["1\n", "2\n", ["ok", "ok"]]);
  expect(one.ahead()).toEqual([undefined, undefined, ran, undefined]);
  const [first, second] = factsOf(one.facts(), "result").map(({ callId }) => callId);
  expect(heard.filter((each) => !each.startsWith("output"))).toEqual([
    `call-start ${first}`,
    `change-applied ${first}`,
    `result ${first}`,
    `call-start ${second}`,
    `call-start ${second}`,
    `change-applied ${second}`,
    `result ${second}`,
  ]);
  expect(heard.indexOf(`output-delta ${second}`)).toBeGreaterThan(heard.indexOf(`call-start ${second}`));
  expect(overlays()).toEqual([]);
});

test("a command that may have seen what the one before it changed is dropped, and runs again", async () => {
  const files = { "a.txt": "old\n" };
  const one = await begun([`${gate}; echo new > a.txt`, "cat a.txt; cat a.txt > copy"], "copy", { files });
  one.open();
  await one.over;
  expect(one.read("copy")).toBe("new\n");
  expect(one.ahead()).toEqual([undefined, undefined, { ...ran, lost: true }, undefined]);
  expect(toldIn(one.facts())).not.toContain("old");
  expect(overlays()).toEqual([]);
});

test("what is stopped meanwhile leaves nothing of those whose turn had not come", async () => {
  const one = await begun([gate, "echo 2 > two", "sleep 60; echo 3 > three"], "two");
  await one.session.command({ type: "interrupt" });
  await one.over;
  expect([one.isThere("two"), one.isThere("three"), overlays()]).toEqual([false, false, []]);
  expect(outcomesOf(one.facts())).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(one.ahead().length).toBe(1);
});

test("lines that name the same file keep their order without a run that is lost", async () => {
  const lines = ["sleep 0.1; echo 1 > a", "cat a > b", "cat b > c", "cp c d"];
  const calls = lines.map((command) => ({ call: "run_command", with: { command } }));
  const { ask, facts, workspace } = await scriptedSession([calls, [{ say: "Done." }]], {
    sandbox: () => sandbox,
  });
  await ask("go");
  expect(await workspace.read("d")).toBe("1\n");
  expect(factsOf(facts(), "call-start").flatMap(({ ahead }) => ahead ?? [])).toEqual([]);
});

test("while a person is asked about one command, the next one waits for its turn or is dropped, in order", async () => {
  const calls = ["git push", "echo 2 > two"].map((command) => ({ call: "run_command", with: { command } }));
  const { ask, facts, workspace } = await scriptedSession([calls, [{ say: "Done." }]], {
    sandbox: () => sandbox,
  });
  await ask("go", "deny");
  expect(factsOf(facts(), "result").map(({ outcome }) => outcome)).toEqual(["denied", "ok"]);
  expect(await workspace.files()).toEqual(["two"]);
  expect(overlays()).toEqual([]);
});

test("an extension may change files between two calls, unless it only looks", () => {
  const onlyLooks = () => true;
  const afterCall = () => Promise.resolve({ facts: [], words: [] });
  expect(changesNothing({})).toBe(true);
  expect(changesNothing({ asked: () => undefined })).toBe(true);
  expect(changesNothing({ afterCall })).toBe(false);
  expect(changesNothing(together([{ afterCall, onlyLooks }, {}]))).toBe(true);
  expect(changesNothing(together([{ afterCall, onlyLooks }, { afterCall }]))).toBe(false);
});
