/** Sessions in checkouts, on machines of their own that die: processes with host names and state directories of their own. */

import { existsSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { testRepository } from "../../src/session/checkouts/testing/repository.ts";
import { isTurnEnd, message, scalePlace, untilFact } from "../support/scale-place.ts";
import { expectWhole } from "../support/whole-log.ts";

const never = new Promise<never>(() => undefined);
const writing = (path: string) => [{ call: "write_file", with: { path, content: `${path}\n` } }];

/** Runs a program on a machine of this name. */
const onHost = (name: string): string[] => [
  "unshare",
  "--user",
  "--map-root-user",
  "--uts",
  "sh",
  "-c",
  `hostname ${name} && exec "$@"`,
  "sh",
];

test("a machine dies in the middle of a turn: the session goes on on another one, with all that it had changed", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const model = scriptedModel((_prompt, round) => {
    if (round === 1) return writing("b.txt");
    if (round === 2) return [{ say: "Half" }, { wait: never }];
    return round === 3 ? writing("c.txt") : [{ say: "Whole." }];
  });
  const place = await scalePlace(model);
  const flags = (name: string): string[] => [
    "--git-protocols",
    "file",
    "--state-dir",
    `${place.home.root}/state-${name}`,
  ];
  const { client } = await place.gateway();
  const first = await place.worker({ through: onHost("one") }, ...flags("one"));
  const { id, workspace } = await client.create({ mode: "accept-edits", repository: repository.address });
  await client.command(id, message("write files"));
  await expect.poll(() => model.prompts.length).toBe(2);
  expect(await place.rows("SELECT host FROM runs")).toEqual([{ host: "one" }]);

  first.child.kill("SIGKILL");
  await first.ended;
  rmSync(`${place.home.root}/cache`, { recursive: true }); // the other machine has a disk of its own
  await place.worker({ through: onHost("two") }, ...flags("two"));
  const facts = await untilFact(client, id, isTurnEnd);
  expectWhole(facts);
  expect(facts.at(-1)).toMatchObject({ stopped: "done" });
  expect(await place.rows("SELECT host FROM runs")).toEqual([{ host: "two" }]);
  expect(["a.txt", "b.txt", "c.txt"].map((name) => readFileSync(`${workspace}/${name}`, "utf8"))).toEqual([
    "a\n",
    "b.txt\n",
    "c.txt\n",
  ]);
  expect(facts.filter(({ type }) => type === "warning")).toMatchObject([
    { code: "checkout-made-again", text: expect.not.stringContaining("missing") },
  ]);

  await expect.poll(() => place.rows("SELECT state FROM runs")).toEqual([{ state: "rests" }]);
  const { commit } = await client.outcome(id, { as: "push", to: "work" });
  expect(repository.bare("ls-tree", "--name-only", "work").split("\n")).toEqual(["a.txt", "b.txt", "c.txt"]);
  expect(repository.bare("rev-parse", "work")).toBe(commit);
});

test("a session of a directory stays on its machine, dead or not", async () => {
  const model = scriptedModel([[{ say: "Half" }, { wait: never }], [{ say: "Whole." }]]);
  const place = await scalePlace(model);
  const { client } = await place.gateway();
  const first = await place.worker();
  const { id } = await client.create({});
  await client.command(id, message("speak"));
  await expect.poll(() => model.prompts.length).toBe(1);
  first.child.kill("SIGKILL");
  await place.worker({ through: onHost("two") }, "--state-dir", `${place.home.root}/state-two`);
  await expect
    .poll(() => place.rows("SELECT died IS NOT NULL AS dead FROM workers ORDER BY host = 'two'"))
    .toEqual([{ dead: true }, { dead: false }]);
  await place.worker();
  const facts = await untilFact(client, id, isTurnEnd);
  expect(facts.at(-1)).toMatchObject({ stopped: "done" });
  expect(await place.rows("SELECT count(*)::int AS count FROM runs WHERE host = 'two'")).toEqual([
    { count: 0 },
  ]);
});

test("a deleted session leaves no checkout on the machine of its worker", async () => {
  const repository = testRepository({ "a.txt": "a\n" });
  const place = await scalePlace(scriptedModel([]));
  const { client } = await place.gateway("--git-protocols", "file");
  await place.worker("--git-protocols", "file");
  const { id, workspace } = await client.create({ repository: repository.address });
  expect(existsSync(workspace)).toBe(true);
  await expect.poll(() => place.rows("SELECT state FROM runs")).toEqual([{ state: "rests" }]);
  await client.remove(id);
  expect(existsSync(workspace)).toBe(false);
});
