/** Tests the options of a run on real sessions: what the model gets, and which session it is. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { testHome, type TestHome } from "./testing/run.ts";

let home: TestHome;
beforeEach(async () => {
  home = await testHome();
});
afterEach(() => home.remove());

const done: ScriptedAnswer = [{ say: "Done." }];
const write: ScriptedAnswer = [{ call: "write_file", with: { path: "a.txt", content: "x" } }];

test("--tools: the model gets no others, and a call of another one is that of a tool which is not there", async () => {
  const model = scriptedModel([write, done]);
  const ran = await home.run(["-p", "x", "--mode", "accept-edits", "--tools", "Read,list_*"], model);
  expect(model.prompts[0]?.tools.map(({ name }) => name)).toEqual(["read_file", "list_files"]);
  expect(JSON.stringify(model.prompts[1]?.messages)).toMatch(/The tool \\"write_file\\" does not exist/u);
  await expect(home.read("work/a.txt")).rejects.toThrow("ENOENT");
  expect(ran.out).toBe("Done.\n");
  const none = scriptedModel([done]);
  await home.run(["-p", "x", "--tools", "none"], none);
  expect(none.prompts[0]?.tools).toEqual([]);
});

test("a system prompt of one's own takes the place of Toolwright's, or follows it; instructions stay", async () => {
  await home.put("own.md", "You are terse.\n");
  await home.put("more.md", "Answer in German.");
  await home.put("work/AGENTS.md", "Use tabs.");
  const system = async (...flags: string[]): Promise<string> => {
    const model = scriptedModel([done]);
    await home.run(["-p", "x", ...flags], model);
    return model.prompts[0]?.system ?? "";
  };
  expect(await system("--system-prompt-file", "../own.md")).toMatch(/^You are terse\.\n\n# Instructions: /u);
  const both = ["--system-prompt-file", "../own.md", "--append-system-prompt-file", "../more.md"];
  expect(await system(...both)).toMatch(/^You are terse\.\n\nAnswer in German\.\n\n# Instructions: /u);
  expect(await system("--append-system-prompt-file", "../more.md")).toMatch(
    /^You are Toolwright,[^]*\n\nAnswer in German\.\n\n# Instructions: [^]*Use tabs\./u,
  );
});

test("a mention of no file is told, and the words are sent without it", async () => {
  await home.put("work/a.txt", "one\n");
  const model = scriptedModel([done]);
  const ran = await home.run(["-p", "Compare @a.txt with @nofile."], model);
  expect(ran).toMatchObject({ code: 0, out: "Done.\n" });
  expect(ran.err).toContain("! No such file in the workspace: @nofile. The words are sent without it.\n");
  expect(JSON.stringify(model.prompts[0]?.messages)).toContain("with @nofile.");
});

const objectOf = ({ out }: { out: string }) => JSON.parse(out);

test("--fork goes on in a copy, and leaves the session as it is", async () => {
  const say = (text: string) => scriptedModel([[{ say: text }]]);
  const json = ["--output", "json"];
  const first = objectOf(await home.run(["-p", "one", ...json], say("1")));
  const fork = say("2");
  const copy = objectOf(await home.run(["-p", "two", ...json, "--fork", "--continue"], fork));
  expect(copy.session).not.toBe(first.session);
  expect(JSON.stringify(fork.prompts[0]?.messages)).toContain('"one"');
  const again = say("3");
  const same = objectOf(await home.run(["-p", "three", ...json, "--resume", first.session], again));
  expect(same.session).toBe(first.session);
  expect(JSON.stringify(again.prompts[0]?.messages)).not.toContain('"two"');
  const named = objectOf(await home.run(["-p", "x", ...json, "--fork", "--resume", copy.session], say("4")));
  expect([first.session, copy.session]).not.toContain(named.session);
});

test("--no-save keeps nothing of the session, does its work all the same, and names no way to go on", async () => {
  const flags = ["--output", "json", "--no-save", "--mode", "accept-edits"];
  const ran = await home.run(["-p", "x", ...flags, "--max-rounds", "1"], scriptedModel([write, done]));
  expect([ran.code, await home.read("work/a.txt")]).toEqual([4, "x"]);
  expect(objectOf(ran)).toMatchObject({ stopped: "limit", goOn: null, changed: ["a.txt"] });
  const next = await home.run(["-p", "x", "--continue"], scriptedModel([done]));
  expect([next.code, next.err]).toEqual([1, expect.stringContaining("no session")]);
});

test("--allow in short lets one command run, and loosens nothing that the workspace denies or asks for", async () => {
  const command = "npm test; touch made.txt";
  const commands = (line: string): ScriptedAnswer => [{ call: "run_command", with: { command: line } }];
  const allowed = ["--allow", "run_command:touch *", "--output", "json"];
  const run = (line: string, ...more: string[]) =>
    home.run(["-p", "x", ...allowed, ...more], scriptedModel([commands(line), done]));
  expect(objectOf(await run("touch made.txt"))).toMatchObject({ denied: [], exit: 0 });
  expect((await run(command, "--deny", "run_command:npm *")).code).toBe(3);
  for (const decision of ["deny", "ask"]) {
    const rule = { tool: "run_command", command: "touch *", decision };
    await home.put("work/.toolwright/config.jsonc", JSON.stringify({ rules: [rule] }));
    expect([decision, (await run("touch other.txt")).code]).toEqual([decision, 3]);
  }
  await expect(home.read("work/other.txt")).rejects.toThrow("ENOENT");
});
