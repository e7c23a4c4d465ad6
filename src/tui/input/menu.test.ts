/** Tests the menu above the input, and what it offers. */

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { workspacePaths } from "../../runtime/messages/workspace-paths.ts";
import { Completions, type CompletionSources } from "./completions.ts";
import { namedKey } from "./key.ts";
import { Menu } from "./menu.ts";

const candidates = (...names: string[]) => names.map((name) => ({ name, insert: `${name} `, says: "" }));

async function workspaceWith(files: Readonly<Record<string, string>>): Promise<string> {
  const workspace = await mkdtemp(join(tmpdir(), "menu-"));
  onTestFinished(() => rm(workspace, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(workspace, path, ".."), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  return workspace;
}

async function completionsIn(files: Readonly<Record<string, string>>, some: Partial<CompletionSources> = {}) {
  const workspace = await workspaceWith(files);
  return new Completions({
    workspace,
    commands: async () => [
      { name: "mode", says: "Set the mode." },
      { name: "model", says: "Switch the model." },
    ],
    choices: async (command) =>
      command === "mode"
        ? [
            { name: "ask", says: "asks" },
            { name: "plan", says: "" },
          ]
        : undefined,
    paths: (signal) => workspacePaths(workspace, signal),
    touched: () => [],
    symbols: async () => [],
    ...some,
  });
}

const offered = async (completions: Completions, line: string, isFirst = true): Promise<string[]> => {
  const found = await completions.candidatesFor(line, isFirst);
  return found ? new Menu(found).rows().map(({ name }) => name) : [];
};

test("at most eight are shown, and the choice moves through all of them and round", () => {
  const menu = new Menu({ from: 0, query: "", candidates: candidates(..."abcdefghij".split("")) });
  expect(menu.rows().map(({ name }) => name)).toEqual("abcdefgh".split(""));
  menu.press(namedKey("up"));
  expect(menu.rows().map(({ name }) => name)).toEqual("cdefghij".split(""));
  expect(menu.rows().at(-1)).toMatchObject({ name: "j", isChosen: true });
  menu.press(namedKey("down"));
  expect(menu.rows()[0]).toMatchObject({ name: "a", isChosen: true });
  expect(menu.rows(3)).toHaveLength(3);
});

test("Tab and Enter take the choice, Escape closes, other keys are not the menu's", () => {
  const menu = new Menu({ from: 4, query: "b", candidates: candidates("a", "b") });
  expect(menu.press(namedKey("tab"))).toEqual({ type: "candidate-taken", from: 4, insert: "b ", by: "tab" });
  expect(menu.press(namedKey("enter"))).toMatchObject({ by: "enter" });
  expect(menu.press(namedKey("escape"))).toEqual({ type: "menu-closed" });
  expect(menu.press(namedKey("left"))).toBeUndefined();
  const none = new Menu({ from: 0, query: "x", candidates: candidates("a") });
  expect(none.press(namedKey("enter"))).toBeUndefined();
});

test("commands are offered at the start of the first line, the one used last first", async () => {
  const completions = await completionsIn({});
  expect(await offered(completions, "/mo")).toEqual(["mode", "model"]);
  completions.use("model");
  expect(await offered(completions, "/")).toEqual(["model", "mode"]);
  expect(await offered(completions, "/", false)).toEqual([]);
  expect(await offered(completions, "see /mo")).toEqual([]);
});

test("what a command takes is offered behind it, until it is there", async () => {
  const completions = await completionsIn({ "a b.txt": "" });
  expect(await offered(completions, "/mode ")).toEqual(["ask", "plan"]);
  expect(await offered(completions, "/mode pl")).toEqual(["plan"]);
  expect(await offered(completions, "/mode plan")).toEqual([]);
  expect(await offered(completions, "/rename x")).toEqual([]);
  expect(await offered(completions, "/attach a")).toEqual(["a b.txt"]);
});

test("paths of the workspace are found by parts of them, without what git ignores", async () => {
  const files = { ".gitignore": "build\n", "src/total.ts": "", "src/cart.ts": "", "build/total.js": "" };
  const completions = await completionsIn(files);
  expect(await offered(completions, "see @tot")).toEqual(["src/total.ts"]);
  expect(await offered(completions, "see @tot", false)).toEqual(["src/total.ts"]);
  expect(await offered(completions, "mail@tot")).toEqual([]);
  expect(await completions.candidatesFor("see @tot", true)).toMatchObject({ from: 4, query: "tot" });
  expect(await offered(completions, "@./build/")).toEqual(["./build/total.js"]);
});

test("what this session touched comes first, with what happened to it", async () => {
  const files = { "a.ts": "", "b.ts": "", "c.ts": "" };
  const touched = () => [
    { name: "c.ts", says: "+1 −1" },
    { name: "gone.ts", says: "" },
  ];
  const completions = await completionsIn(files, { touched });
  const found = await completions.candidatesFor("@", true);
  expect(found?.candidates.map(({ name, says }) => `${name} ${says}`)).toEqual([
    "c.ts +1 −1",
    "a.ts ",
    "b.ts ",
  ]);
});

test("a path with blanks is quoted, and one that could move the cursor is not offered", async () => {
  const completions = await completionsIn({ "a b.ts": "", "evil\u001b[2J.ts": "" });
  const found = await completions.candidatesFor("@", true);
  expect(found?.candidates.map(({ insert }) => insert)).toEqual(['@"a b.ts" ']);
});

test("the workspace is listed once for a mention, and again for the next one", async () => {
  let listed = 0;
  const paths = async () => ({ ok: true as const, value: [`${(listed += 1)}.ts`] });
  const completions = await completionsIn({}, { paths });
  await offered(completions, "@");
  await offered(completions, "@1");
  expect(listed).toBe(1);
  await offered(completions, "@1.ts ");
  expect(await offered(completions, "@1.ts @")).toEqual(["2.ts"]);
});

test("symbols join the paths when they come, and those found before stay until then", async () => {
  const asked: string[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const completions = await completionsIn(
    { "src/total.ts": "" },
    {
      async symbols(query) {
        await gates[asked.push(query) - 1]?.promise;
        return [
          { name: "totalOf", place: "src/total.ts:3", kind: "function" },
          { name: "total\u001B[2J", place: "src/total.ts:4", kind: "function" },
          { name: "totalIn", place: "src/\u001B.ts:4", kind: "function" },
        ];
      },
    },
  );
  const look = async (line: string, more?: () => void) => {
    const found = await completions.candidatesFor(line, true, more);
    return found ? new Menu(found).rows().map(({ name, says }) => [name, says]) : [];
  };
  expect(await look("see @t")).toEqual([["src/total.ts", ""]]);
  expect(asked).toEqual([]);
  const more = Promise.withResolvers<void>();
  expect(await look("see @to", more.resolve)).toEqual([["src/total.ts", ""]]);
  gates[0]?.resolve();
  await more.promise;
  const both = [
    ["totalOf", "src/total.ts:3  function"],
    ["src/total.ts", ""],
  ];
  expect(await look("see @to")).toEqual(both);
  expect(asked).toEqual(["to"]);
  expect(await look("see @tot")).toEqual(both);
  expect(asked).toEqual(["to", "tot"]);
  const found = await completions.candidatesFor("see @tot", true);
  expect(found?.candidates[0]?.insert).toBe("`totalOf` (src/total.ts:3) ");
  expect(await look("see @src/to")).toEqual([["src/total.ts", ""]]);
  expect(asked).toHaveLength(2);
});
