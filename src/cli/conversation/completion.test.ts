/** Tests Tab in a conversation: it completes only what exists. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testRuntime } from "../testing/runtime.ts";
import { complete } from "./completion.ts";
import { controlD, enter, lines, stage } from "./testing/conversation.ts";

async function place(files: Record<string, string> = {}) {
  const runtime = await testRuntime(scriptedModel([]), { files });
  return { runtime, tab: (line: string) => complete(runtime, line) };
}

test("built-in and file commands are completed, with a space after a complete one", async () => {
  const { runtime, tab } = await place({ ".claude/commands/content.md": "Look at it." });
  expect(await tab("/con")).toEqual([["/content ", "/context "], "/con"]);
  expect(await tab("/stat")).toEqual([["/status "], "/stat"]);
  expect(await tab("/zzz")).toEqual([[], "/zzz"]);
  expect(await tab("/mode a")).toEqual([["accept-edits", "ask", "auto"], "a"]);
  expect(await tab("/reasoning ")).toEqual([["default", "high", "low", "medium", "off"], ""]);
  expect(await tab("see /con")).toEqual([[], ""]);
  expect(await tab("/verbose o")).toEqual([["off", "on"], "o"]);
  expect(await tab("/goal o")).toEqual([["off"], "o"]);
  expect(await tab("/goal off o")).toEqual([[], ""]);
  const id = runtime.session.id.slice(-6);
  expect(await tab(`/resume ${id.slice(0, 3)}`)).toEqual([[id], id.slice(0, 3)]);
  await runtime.close();
});

test("a path after an @ is completed segment by segment; a path with spaces is quoted", async () => {
  const files = { "src/main.ts": "", "src/my file.ts": "", "small.txt": "", ".env": "", 'odd"name': "" };
  const { runtime, tab } = await place(files);
  expect(await tab("look at @s")).toEqual([["@small.txt ", "@src/"], "@s"]);
  expect(await tab("look at @src/ma")).toEqual([["@src/main.ts "], "@src/ma"]);
  expect(await tab("look at @src/my")).toEqual([['@"src/my file.ts" '], "@src/my"]);
  expect(await tab('look at @"src/my f')).toEqual([['@"src/my file.ts" '], '@"src/my f']);
  expect(await tab("(@small")).toEqual([["@small.txt "], "@small"]);
  expect(await tab("/attach src/my")).toEqual([["src/my file.ts"], "src/my"]);
  expect(await tab("@.e")).toEqual([["@.env "], "@.e"]);
  for (const line of ["@", "/attach "])
    expect((await tab(line))[0].filter((path) => path.includes(".env"))).toEqual([]);
  for (const line of ["me@s", "look", "@none/x", "@\0", ""]) expect((await tab(line))[0]).toEqual([]);
  await runtime.close();
});

test("a file name with control characters is not offered, nor are the files of a huge directory", async () => {
  const { runtime, tab } = await place();
  await writeFile(join(runtime.workspace, "a\u001B[2J"), "");
  await mkdir(join(runtime.workspace, "many"));
  for (let at = 0; at < 201; at += 1) await writeFile(join(runtime.workspace, "many", `f${at}`), "");
  expect(await tab("@a")).toEqual([[], "@a"]);
  expect(await tab("@many/")).toEqual([[], ""]);
  expect(await tab("@many/f20")).toEqual([["@many/f20 ", "@many/f200 "], "@many/f20"]);
  await runtime.close();
});

test("Tab in a conversation completes the path in the message that is sent", async () => {
  const { terminal, runtime, over } = await stage([[{ say: "Read." }]], {
    session: { files: { "notes/today.md": "Buy milk.\n" } },
  });
  await terminal.until("> ");
  terminal.type("read @no\t");
  await terminal.until("tes/");
  terminal.type("t\t");
  await terminal.until("oday.md");
  terminal.type(enter);
  await terminal.until("Read.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await over).toBe(0);
  expect(lines(terminal).join("\n")).toContain("Sent along: notes/today.md");
  await runtime.close();
});
