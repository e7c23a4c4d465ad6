import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../src/cli/main.ts";
import { ownOwner } from "../src/session/owner.ts";
import { storeAt } from "../src/session/testing/store-at.ts";
import { put } from "./support/command.ts";
import {
  idsIn,
  json,
  order,
  refused,
  said,
  sessionPlace,
  type SessionPlace,
  twoChanges,
} from "./support/session-place.ts";

test("list shows the sessions of this workspace, newest first, with cost and state", async () => {
  const here = await sessionPlace();
  await here.run(...order, "read a.txt");
  await here.run(...order, "list");
  await here.runIn("other", ...order, "read b.txt");
  const lines = (await said(here.run("sessions"))).trimEnd().split("\n");
  expect(lines.map((line) => line.replace(/^\S+ +now +\d+/u, "ID"))).toEqual([
    "session                 age  facts  cost  state  title",
    "ID     free  idle   list",
    "ID     free  idle   read a.txt",
  ]);
  expect(await said(here.run("sessions", "list", "--limit", "1"))).toContain(
    "… and 1 more: --limit 2 lists all",
  );
  expect(await said(here.run("sessions", "--all"))).toMatch(/read b\.txt +\S+other\n/u);
  const all: unknown = JSON.parse(await said(here.run("sessions", "--all", "--output", "json")));
  expect(all).toMatchObject([
    { title: "read b.txt", turns: 1, standing: "idle", cost: 0, unknownCosts: 0, from: null, openIn: null },
    { title: "list" },
    { title: "read a.txt", workspace: join(here.root, "work") },
  ]);
});

test("a session open in another program is marked in the list, and cannot be renamed or deleted, nor its subagents' ones with it", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  const store = await storeAt(join(here.root, "state", "toolwright", "sessions.db"));
  onTestFinished(() => store.close());
  await store.create({ id: "of-subagent", workspace: join(here.root, "work"), createdAt: 1, parent: id });
  const owner = ownOwner();
  await store.claim(id, {
    owner: { ...owner, process: { ...owner.process, pid: process.ppid, started: "" } },
  });
  expect(await said(here.run("sessions"))).toContain(`open in process ${process.ppid}`);
  expect(await refused(here.run("sessions", "rename", id, "x"), 1)).toContain("is open in another program");
  const ended = await here.run("sessions", "delete", id, "--yes");
  expect(ended).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("is open in another program"),
  });
  expect(await idsIn(here)).toEqual([id, "of-subagent"]);
});

test("search finds sessions by their text, and exits with 1 when there is none", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  await here.runIn("other", ...order, "read b.txt");
  expect(await said(here.run("sessions", "search", "replace", "three"))).toMatch(
    new RegExp(`^${id.slice(-6)}  replace one with two in a\\.txt\\n +.*three`, "u"),
  );
  expect(await said(here.run("sessions", "search", "nowhere"), 1)).toContain("No session has the words");
  expect(await said(here.run("sessions", "search", "b.txt"), 1)).toContain("1 of other workspaces do");
  const found: unknown = JSON.parse(await said(here.run("sessions", "search", "THREE", "--output", "json")));
  expect(found).toMatchObject([{ id, excerpt: expect.stringContaining("three"), turns: 2 }]);
});

test("show prints requests, calls with their decisions, changes and cost, and with --verbose the diffs", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  await here.run("--offline-model", "--continue", "-p", "run rm a.txt");
  const shown = await said(here.run("sessions", "show", id.slice(-6)));
  for (const words of [
    "size       3 requests",
    "cost       free",
    "Request 2 · ",
    "> replace two with three in a.txt",
    "● Edit a.txt … ok  a.txt +1 −1",
    "allow: the mode accept-edits accepts file changes",
    "● Run rm a.txt … denied",
    "= done · changed a.txt",
  ])
    expect(shown).toContain(words);
  expect(shown).not.toContain("+two");
  const whole = await said(here.run("sessions", "show", id, "--verbose"));
  expect(whole).toMatch(/-one\n +\+two\n/u);
  expect(await json(here.run("sessions", "show", id, "--output", "json"))).toMatchObject({
    id,
    turns: 3,
    cost: 0,
    timeline: expect.arrayContaining([
      expect.objectContaining({ type: "request", turn: 1, text: "replace one with two in a.txt" }),
      expect.objectContaining({ type: "call", tool: "run_command", outcome: "denied" }),
      expect.objectContaining({ type: "ending", turn: 2, stopped: "done", changed: ["a.txt"], cost: 0 }),
    ]),
  });
});

test("a renamed session is shown and found by its name, and control characters in it never reach a terminal", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  await here.run(...order, "list");
  expect(await said(here.run("sessions", "rename", id, "Count", "\u001B[2J up\u202E"))).toContain(
    "is called",
  );
  for (const args of [["sessions"], ["sessions", "show", id], ["sessions", "export", id]]) {
    const out = await said(here.run(...args));
    expect(out).toContain("Count");
    for (const control of ["\u001B", "\u202E"]) expect(out).not.toContain(control);
  }
  const again = await here.run("--offline-model", "--resume", "count UP", "-p", "read a.txt");
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining("three") });
  expect(await json(here.run("sessions", "show", "count", "--output", "json"))).toMatchObject({
    id,
    turns: 3,
  });
  expect(await refused(here.run("sessions", "rename", id, " \t"), 2)).toContain("needs a name");
  await here.run("sessions", "rename", (await idsIn(here)).at(-1) ?? "", "Count down");
  expect(await refused(here.run("sessions", "show", "count"), 1)).toContain("The titles of several sessions");
});

test("a fork has everything before a request, can undo it, and is independent of the original", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  const before = await said(here.run("sessions", "export", id, "--format", "json"));
  const forked = await json(here.run("sessions", "fork", id, "--at", "2", "--output", "json"));
  expect(forked).toMatchObject({ from: id, before: 2 });
  const fork = String(forked["session"]);
  expect(await json(here.run("sessions", "show", fork, "--output", "json"))).toMatchObject({
    turns: 1,
    title: "replace one with two in a.txt",
    from: { session: id, seq: forked["facts"] },
  });
  // The file has changed since then, and none of that may be lost.
  expect((await here.run("undo", "--resume", fork)).code).toBe(1);
  expect((await here.run("undo", "2", "--resume", id)).code).toBe(0);
  expect((await here.run("undo", "--resume", fork)).code).toBe(0);
  expect(await readFile(join(here.root, "work", "a.txt"), "utf8")).toBe("one\n");
  await here.run("sessions", "delete", fork, "--yes");
  const after = await said(here.run("sessions", "export", id, "--format", "json"));
  expect(after).toContain(before.slice(before.indexOf("["), before.lastIndexOf("\n]")));
  expect((await here.run("redo", "2", "--resume", id, "--conflict", "restore")).code).toBe(0);
  expect(await readFile(join(here.root, "work", "a.txt"), "utf8")).toBe("three\n");
});

test("a fork may end with any fact, and a missing point is refused with the valid ones", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  const forked = await json(here.run("sessions", "fork", id, "--at", "fact:5", "--output", "json"));
  expect(forked).toMatchObject({ facts: 5, before: null });
  expect(await said(here.run("sessions"))).toContain("left open");
  const whole = await json(here.run("sessions", "fork", id, "--output", "json"));
  expect(whole["facts"]).toBeGreaterThan(20);
  expect(await refused(here.run("sessions", "fork", id, "--at", "3"), 1)).toContain("the requests 1 to 2");
  expect(await refused(here.run("sessions", "fork", id, "--at", "fact:999"), 1)).toContain(
    "999 is none of them",
  );
  expect(await refused(here.run("sessions", "fork", id, "--at", "soon"), 2)).toContain(
    "--at is the number of",
  );
});

test("delete asks on a terminal, needs --yes elsewhere, and takes several ids or an age", async () => {
  const here = await sessionPlace();
  for (const words of ["list", "read a.txt", "search one"]) await here.run(...order, words);
  const [third = "", second = "", first = ""] = await idsIn(here);
  expect(await refused(here.run("sessions", "delete", first), 2)).toContain("add --yes");
  const terminal = here.terminal();
  const asked = runCli(["sessions", "delete", first], terminal);
  await terminal.until("Delete it for good? [y/n] ");
  terminal.type("n\n");
  expect({ code: await asked, ids: (await idsIn(here)).length }).toEqual({ code: 1, ids: 3 });
  const again = here.terminal();
  const agreed = runCli(["sessions", "delete", first], again);
  await again.until("[y/n] ");
  again.type("y\n");
  expect({ code: await agreed, ids: await idsIn(here) }).toEqual({ code: 0, ids: [third, second] });
  expect(await refused(here.run("sessions", "delete", "read", "--yes"), 1)).toContain("by its id only");
  expect(await refused(here.run("sessions", "delete", second, "nothing", "--yes"), 1)).toContain("nothing");
  expect(await said(here.run("sessions", "delete", "--older-than", "1h", "--yes"))).toBe(
    "There is nothing to delete.\n",
  );
  expect(await refused(here.run("sessions", "delete", "--older-than", "soon", "--yes"), 2)).toContain("12h");
  const both = here.run("sessions", "delete", second, third, "--yes", "--output", "json");
  expect(await json(both)).toEqual({ deleted: [second, third], refused: [] });
  expect(await idsIn(here)).toEqual([]);
});

test("--older-than deletes unused sessions of this workspace, and with --all of every workspace", async () => {
  const here = await sessionPlace();
  const store = await storeAt(join(here.root, "state", "toolwright", "sessions.db"));
  const old = Date.now() - 40 * 86_400_000;
  for (const [id, name] of [
    ["old-here", "work"],
    ["old-there", "other"],
  ] as const)
    await store.create({ id, workspace: join(here.root, name), createdAt: old });
  await store.close();
  await here.run(...order, "list");
  expect(await said(here.run("sessions", "delete", "--older-than", "30d", "--yes"))).toContain("old-here");
  expect((await idsIn(here, "--all")).includes("old-there")).toBe(true);
  await here.run("sessions", "delete", "--older-than", "4w", "--all", "--yes");
  expect(await idsIn(here, "--all")).toHaveLength(1);
});

test("a bundle imported on another machine can be undone and continued, and exports identically", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  const bundle = join(here.root, "moved.toolwright");
  expect(await said(here.run("sessions", "export", id, bundle, "--format", "bundle"))).toContain("(bundle)");
  const there = await sessionPlace({ "a.txt": "three\n" });
  const told = await said(there.run("sessions", "import", bundle));
  expect(told).toContain(`Imported as ${id}.`);
  expect(told).toContain(
    `It was a session of ${join(here.root, "work")}. From now on it is one of this workspace`,
  );
  const again = await said(there.run("sessions", "export", id, "--format", "bundle"));
  const names = (text: string, { root }: SessionPlace): string =>
    text.replaceAll(root, "ROOT").replace(/"sha256":"\w+"/u, "");
  expect(names(again, there)).toBe(names(await readFile(bundle, "utf8"), here));
  expect((await there.run("undo", "2")).code).toBe(0);
  expect(await readFile(join(there.root, "work", "a.txt"), "utf8")).toBe("two\n");
  expect((await there.run("--offline-model", "--continue", "-p", "read a.txt")).code).toBe(0);
  // Imported once more, when the id is already taken.
  expect(await json(there.runIn("other", "sessions", "import", bundle, "--output", "json"))).toMatchObject({
    session: expect.not.stringMatching(id),
    was: { id },
    workspace: join(there.root, "other"),
    closed: false,
  });
});

test("a bundle can be imported from a pipe, and a truncated one is refused", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  const whole = await said(here.run("sessions", "export", id, "--format", "bundle"));
  const there = await sessionPlace();
  for (const [text, code] of [
    [whole.slice(0, whole.length / 2), 1],
    [whole, 0],
  ] as const) {
    const terminal = there.terminal();
    terminal.input.end(text);
    expect(await runCli(["sessions", "import", "-"], terminal)).toBe(code);
  }
  expect(await idsIn(there)).toEqual([id]);
});

test("an invalid import is refused in one line, and nothing is stored", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  const whole = await said(here.run("sessions", "export", id, "--format", "bundle"));
  const file = join(here.root, "x");
  for (const [text, words] of [
    [whole.slice(0, -10), "ends in the middle"],
    [whole.replace("replace one", "replace all"), "damaged or changed"],
    [whole.replace('"format":1', '"format":2'), "newer version"],
    ["", "not a session that Toolwright exported"],
  ] as const) {
    await writeFile(file, text);
    expect(await refused(here.runIn("other", "sessions", "import", file), 1)).toContain(words);
  }
  expect(await refused(here.run("sessions", "import", here.root), 1)).toContain("it is a directory");
  expect(await refused(here.run("sessions", "import", join(here.root, "none")), 1)).toContain(
    "there is no such file",
  );
  expect(await idsIn(here, "--all")).toEqual([id]);
});

test("a file is exported in the format that it ends with, unless another one is named", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  const exported = async (...args: string[]): Promise<string> =>
    (await said(here.run("sessions", "export", id, ...args))).trim();
  // It was Markdown, whatever the file was called.
  expect(await exported("a.json")).toBe(`${id} is in a.json (json).`);
  expect(await exported("a.html")).toBe(`${id} is in a.html (html).`);
  expect(await exported("a.toolwright")).toBe(`${id} is in a.toolwright (bundle).`);
  expect(await exported("mine.txt")).toBe(`${id} is in mine.txt (markdown).`);
  expect(await exported("b.json", "--format", "markdown")).toBe(`${id} is in b.json (markdown).`);
});

test("export never overwrites a file, names its file by the title, and writes readable Markdown", async () => {
  const here = await sessionPlace();
  const id = await twoChanges(here);
  await put(join(here.root, "work"), { "mine.md": "mine" });
  expect(await refused(here.run("sessions", "export", id, "mine.md"), 1)).toContain("it exists already");
  expect(await readFile(join(here.root, "work", "mine.md"), "utf8")).toBe("mine");
  const terminal = here.terminal();
  expect(await runCli(["sessions", "export", id], terminal)).toBe(0);
  const page = await readFile(
    join(here.root, "work", `replace-one-with-two-in-a-txt-${id.slice(-6)}.md`),
    "utf8",
  );
  for (const words of [
    "# replace one with two in a.txt",
    "## Request 2",
    "> replace two with three",
    "**done**",
  ])
    expect(page).toContain(words);
  const facts = await json(here.run("sessions", "export", id, "--output", "json"));
  expect(facts).toMatchObject({ id, log: expect.arrayContaining([expect.objectContaining({ seq: 1 })]) });
});

test.each([
  [["sessions", "lst"], 'did you mean "list"?'],
  [["sessions", "show"], "An argument is missing: toolwright sessions show ID"],
  [["sessions", "show", "a", "b"], "FILE is for --html"],
  [["sessions", "list", "--at", "3"], "--at is not for toolwright sessions list"],
  [["sessions", "delete"], "Which sessions?"],
  [["sessions", "export", "x", "--format", "pdf"], "--format must be one of markdown, html, json, bundle"],
  [["doctor", "--yes"], "--yes is for toolwright sessions only"],
])("a wrong command line is answered with a correction: %j", async (args, words) => {
  const here = await sessionPlace();
  expect(await refused(here.run(...args), 2)).toContain(words);
});

test("an unknown session is reported as an object with --output json", async () => {
  const here = await sessionPlace();
  for (const args of [
    ["show", "zz"],
    ["fork", "zz"],
    ["rename", "zz", "x"],
    ["export", "zz"],
    ["delete", "zz", "--yes"],
  ]) {
    const ran = await here.run("sessions", ...args, "--output", "json");
    expect({ code: ran.code, told: JSON.parse(ran.out) }).toEqual({
      code: 1,
      told: { session: null, problem: expect.stringContaining("no session zz") },
    });
  }
});
