import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Grant } from "../protocol/facts.ts";
import { forgetGrants, numberedGrants, openProjectGrants, readProjectGrants } from "./project-grants.ts";

async function stateDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-grants-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

const line = (command: string): Grant => ({
  type: "line",
  command,
  directory: ".",
  risk: "medium",
  profile: "build",
  contained: true,
});
const commands = (grants: readonly Grant[]) =>
  grants.map((grant) => (grant.type === "line" ? grant.command : "?"));

test("a project's grants survive a restart, each once, for that workspace and that user only", async () => {
  const state = await stateDirectory();
  const { grants } = await openProjectGrants(state, "/w");
  for (const command of ["a", "b", "a"]) expect(await grants.add(line(command))).toEqual({ ok: true });
  expect(commands(await grants.list())).toEqual(["b", "a"]);
  expect(commands((await readProjectGrants(state, "/w")).grants)).toEqual(["b", "a"]);
  expect(await readProjectGrants(state, "/w/sub")).toEqual({ grants: [], warnings: [] });
  const [file = ""] = await readdir(join(state, "grants"));
  expect((await stat(join(state, "grants", file))).mode & 0o077).toBe(0);
});

test("neither of two programs overwrites the grants that the other stored", async () => {
  const state = await stateDirectory();
  const one = await openProjectGrants(state, "/w");
  const other = await openProjectGrants(state, "/w");
  await one.grants.add(line("a"));
  await other.grants.add(line("b"));
  expect(commands((await readProjectGrants(state, "/w")).grants)).toEqual(["a", "b"]);
});

test("a grant added or revoked by another program takes effect at the next question", async () => {
  const state = await stateDirectory();
  const { grants } = await openProjectGrants(state, "/w");
  const other = await openProjectGrants(state, "/w");
  await other.grants.add(line("a"));
  expect(commands(await grants.list())).toEqual(["a"]);
  await forgetGrants(state, "/w", "all");
  expect(await grants.list()).toEqual([]);
});

test("concurrent additions and revocations by several programs lose nothing", async () => {
  const state = await stateDirectory();
  const opened = await Promise.all(["a", "b", "c", "d"].map(async () => openProjectGrants(state, "/w")));
  await opened[0]?.grants.add(line("first"));
  await Promise.all([
    forgetGrants(state, "/w", 1),
    ...opened.map(({ grants }, at) => grants.add(line(`command ${at}`))),
  ]);
  const kept = commands((await opened[0]?.grants.list()) ?? []);
  expect(kept.toSorted()).toEqual(["command 0", "command 1", "command 2", "command 3"]);
});

test("a grant is revoked by its number, or all grants together; an unknown number is refused", async () => {
  const state = await stateDirectory();
  const { grants } = await openProjectGrants(state, "/w");
  for (const command of ["a", "b", "c"]) await grants.add(line(command));
  expect(numberedGrants(await grants.list()).map(({ number, words }) => `${number} ${words}`)).toEqual([
    "1 exactly `a`",
    "2 exactly `b`",
    "3 exactly `c`",
  ]);
  expect(await forgetGrants(state, "/w", 2)).toEqual({ ok: true, forgotten: [line("b")] });
  expect(await forgetGrants(state, "/w", 3)).toMatchObject({
    ok: false,
    problem: expect.stringContaining("no grant 3"),
  });
  expect(await forgetGrants(state, "/w", "all")).toMatchObject({ ok: true });
  expect(await readProjectGrants(state, "/w")).toEqual({ grants: [], warnings: [] });
  expect(await forgetGrants(state, "/w", "all")).toEqual({ ok: true, forgotten: [] });
});

test.each([
  ["text", "no JSON"],
  ["another workspace", JSON.stringify({ workspace: "/x", grants: [line("a")] })],
  ["an unknown grant", JSON.stringify({ workspace: "/w", grants: [line("a"), { type: "everything" }] })],
  ["a list", "[]"],
])("a file with %s grants nothing and is reported as damaged", async (_, text) => {
  const state = await stateDirectory();
  await (await openProjectGrants(state, "/w")).grants.add(line("a"));
  const [file = ""] = await readdir(join(state, "grants"));
  await writeFile(join(state, "grants", file), text);
  const read = await readProjectGrants(state, "/w");
  expect(read.grants).toEqual([]);
  expect(read.warnings).toEqual([expect.stringMatching(/is damaged: nothing that it allows holds/u)]);
});

test("a grant that cannot be stored is refused with the reason", async () => {
  const state = await stateDirectory();
  await writeFile(join(state, "grants"), "a file in the way");
  const { grants } = await openProjectGrants(state, "/w");
  const added = await grants.add(line("a"));
  expect(added).toMatchObject({ ok: false, problem: expect.stringContaining("Nothing was kept.") });
  expect(await grants.list()).toEqual([]);
  expect(await readFile(join(state, "grants"), "utf8")).toBe("a file in the way");
});
