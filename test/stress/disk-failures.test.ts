import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../../src/providers/scripted-model.ts";
import { newHome, runCommand, type Ended, type Home } from "../support/command.ts";
import { lead, ollamaRoad, serve } from "../support/roads.ts";
import { smallDisk } from "../support/small-disk.ts";
import { expectWhole, lastEnd, readSessions, wholeSession } from "../support/whole-log.ts";

/** Runs a headless request against a model with these answers. */
async function ask(
  home: Home,
  answers: readonly ScriptedAnswer[],
  { args = [], through }: { args?: readonly string[]; through?: readonly string[] } = {},
): Promise<Ended> {
  const server = await serve(scriptedModel(answers));
  const flags = [...lead(home, ollamaRoad, server.url), ...args, "-p", "Do it."];
  return runCommand(home, flags, through === undefined ? {} : { through });
}

const offline = (home: Home, ...args: string[]): Promise<Ended> =>
  runCommand(home, ["--offline-model", ...args, "-p", "list"]);

/** Exit code 1, nothing on standard output, and this one line. */
const refused = (line: string): Ended => ({ code: 1, stdout: "", stderr: `toolwright: ${line}\n` });

test("a full disk under the state directory is reported, and no stored session is lost", async () => {
  const home = await newHome();
  expect((await offline(home)).code).toBe(0);
  await rm(join(home.stateDir, "compiled"), { recursive: true });
  const disk = await smallDisk(home.stateDir, { kilobytes: 600 });
  const ended = await ask(home, [[{ say: "word ".repeat(400_000) }]], { through: disk.through });
  expect(ended.code, ended.stderr).toBe(1);
  expect(ended.stderr).toMatch(
    /^toolwright: The session database \S+ (?:cannot grow: the disk is full\. Free some space|could not be read or written\. Check the disk), then try again\.\n$/u,
  );
  const [interrupted = [], first = []] = await readSessions(disk.after);
  expectWhole(first);
  expect(interrupted.map(({ type }) => type)).toContain("user-message");
});

test("a full disk under the workspace fails the edit, and the file keeps its old content", async () => {
  const old = `old words\n${"line\n".repeat(2000)}`;
  const home = await newHome({ "a.txt": old });
  const disk = await smallDisk(home.workspace, { kilobytes: 64 });
  const edit = {
    call: "edit_file",
    with: { path: "a.txt", old: "old words", new: "new words ".repeat(20_000) },
  };
  const ended = await ask(home, [[edit], [{ say: "The disk is full." }]], {
    args: ["--mode", "accept-edits"],
    through: disk.through,
  });
  expect(ended.stderr).toMatch(/Edit a\.txt … failed[^]*(?:disk is full|too large)/u);
  expect(await readFile(join(disk.after, "a.txt"), "utf8")).toBe(old);
  const entries = await wholeSession(home.stateDir);
  expect(entries.find((entry) => entry.type === "result")).toMatchObject({ outcome: "failed" });
});

test("a read-only workspace can be read; changes fail with an error, and the turn goes on", async () => {
  const home = await newHome({ "a.txt": "old\n" });
  const disk = await smallDisk(home.workspace, { kilobytes: 64, readOnly: true });
  const ended = await ask(
    home,
    [
      [{ call: "read_file", with: { path: "a.txt" } }],
      [{ call: "edit_file", with: { path: "a.txt", old: "old", new: "new" } }],
      [{ call: "write_file", with: { path: "b/c.txt", content: "new" } }],
      [{ say: "It cannot be changed." }],
    ],
    { args: ["--mode", "accept-edits"], through: disk.through },
  );
  expect(ended.stdout).toContain("It cannot be changed.");
  expect(ended.stderr).toContain("Read a.txt … ok");
  const entries = await wholeSession(home.stateDir);
  const results = entries.flatMap((entry) => (entry.type === "result" ? [entry] : []));
  expect(results.map(({ outcome }) => outcome)).toEqual(["ok", "failed", "failed"]);
  for (const { content } of results.slice(1))
    expect(JSON.stringify(content)).toMatch(/the file system is read-only|permission is denied/u);
  expect(lastEnd(entries).changed).toEqual([]);
});

test("E1: a workspace that does not exist is created", async () => {
  const home = await newHome();
  const ended = await ask(
    home,
    [[{ call: "write_file", with: { path: "x.txt", content: "x" } }], [{ say: "Done." }]],
    {
      args: ["--cwd", "made/deep", "--mode", "accept-edits"],
    },
  );
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: "Done.\n" });
  expect(await readFile(join(home.workspace, "made", "deep", "x.txt"), "utf8")).toBe("x");
  await wholeSession(home.stateDir);
});

test("a file in place of the workspace or the state directory is reported with the option to change", async () => {
  const home = await newHome({ "a.txt": "mine\n" });
  const file = join(home.workspace, "a.txt");
  const blocked = (path: string, flag: string): Ended =>
    refused(
      `Cannot write ${path}: a part of the path is a file, not a directory. Choose another directory with ${flag}.`,
    );
  expect(await offline(home, "--cwd", file)).toEqual(blocked(file, "--cwd"));
  expect(await offline(home, "--cwd", join(file, "below"))).toEqual(blocked(`${file}/below`, "--cwd"));
  expect(await offline(home, "--state-dir", file, "--cwd", "w")).toEqual(blocked(file, "--state-dir"));
  expect(await readFile(file, "utf8")).toBe("mine\n");
});

test("a state directory inside the workspace is refused before it is created", async () => {
  const home = await newHome();
  const ended = await offline(home, "--state-dir", "state");
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: "" });
  expect(ended.stderr).toMatch(/lies inside the workspace .* choose another with --state-dir/u);
  await expect(stat(join(home.workspace, "state"))).rejects.toThrow("ENOENT");
});

test("a database locked by another process is reported and stays intact", async () => {
  const home = await newHome();
  expect((await offline(home)).code).toBe(0);
  const path = join(home.stateDir, "sessions.db");
  const holder = new DatabaseSync(path);
  holder.exec("BEGIN EXCLUSIVE");
  try {
    expect(await offline(home)).toEqual(
      refused(
        `The session database ${path} is locked by another program. Close that program, or try again in a moment.`,
      ),
    );
  } finally {
    holder.exec("ROLLBACK");
    holder.close();
  }
  await wholeSession(home.stateDir);
  expect((await offline(home)).code).toBe(0);
});

test("a database file that is not a database is refused and left unchanged", async () => {
  const home = await newHome();
  const path = join(home.stateDir, "sessions.db");
  await mkdir(home.stateDir, { recursive: true });
  const garbage = "these are not pages ".repeat(500);
  await writeFile(path, garbage);
  const line = `The session database ${path} is not a database; it was left as it is. Move the file away to start with an empty one.`;
  expect(await offline(home)).toEqual(refused(line));
  expect(await runCommand(home, ["sessions"])).toEqual(refused(line));
  const doctor = await runCommand(home, ["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain(line);
  expect(await readFile(path, "utf8")).toBe(garbage);
});

test("stored sessions are readable by their owner only, whatever the umask", async () => {
  const home = await newHome();
  const through = ["/bin/sh", "-c", 'umask 000; exec "$@"', "sh"];
  expect((await runCommand(home, ["--offline-model", "-p", "list"], { through })).code).toBe(0);
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
  expect(await modeOf(home.stateDir)).toBe("700");
  expect(await modeOf(join(home.stateDir, "sessions.db"))).toBe("600");
  await chmod(home.stateDir, 0o755);
  const doctor = await runCommand(home, ["doctor"]);
  expect(doctor.stdout).toMatch(/^warn {2}state directory .*chmod 700/mu);
});
