/**
 * Workers are killed, and the database server crashes, while many sessions count upwards in files: each step is one
 * change, and a change that was made twice or lost would be seen in the file and in the log.
 */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Entry } from "../../src/client.ts";
import { type ScriptedModel, scriptedModel } from "../../src/providers/scripted-model.ts";
import { databaseServer } from "../postgres/server.ts";
import { isTurnEnd, message, scalePlace, untilFact } from "../support/scale-place.ts";
import { expectWhole } from "../support/whole-log.ts";

const runs = Number(process.env["TOOLWRIGHT_RUNS"] ?? 1);
const steps = 5;
const fileOf = (at: number): string => `f${at}.txt`;

/** Goes on counting from where the file is; `asked` is called before each answer. */
function countingModel(place: { workspace: string }, asked: (round: number) => void): ScriptedModel {
  return scriptedModel((prompt, round) => {
    asked(round);
    const said = JSON.stringify(prompt.messages.find(({ role }) => role === "user"));
    const path = /f\d+\.txt/u.exec(said)?.[0] ?? "";
    const made = Number(readFileSync(join(place.workspace, path), "utf8"));
    if (made >= steps) return [{ say: "Counted." }];
    return [{ call: "edit_file", with: { path, old: `${made}\n`, new: `${made + 1}\n` } }];
  });
}

async function expectCounted(facts: readonly Entry[], workspace: string, at: number): Promise<void> {
  expectWhole(facts);
  expect(facts.at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  const made = facts.filter((fact) => fact.type === "change-applied" && fact.changes.length > 0);
  expect(made).toHaveLength(steps);
  expect(await readFile(join(workspace, fileOf(at)), "utf8")).toBe(`${steps}\n`);
}

const zeros = (many: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: many }, (_, at) => [fileOf(at), "0\n"]));

test("workers are killed again and again: no change is made twice, and no turn is lost", async () => {
  const many = 12 * runs;
  const kills = 4 * runs;
  /** Called in rounds that are spread over all of them. */
  const strikes: (() => void)[] = [];
  const at = { workspace: "" };
  const model = countingModel(at, (round) => {
    if (round % Math.floor((many * steps) / (kills + 1)) === 0) strikes.pop()?.();
  });
  const place = await scalePlace(model, { files: zeros(many) });
  at.workspace = place.home.workspace;
  const { client } = await place.gateway();
  const workers = await Promise.all([place.worker(), place.worker(), place.worker()]);
  let killed = 0;
  const replaced: Promise<unknown>[] = [];
  for (let kill = 0; kill < kills; kill += 1)
    strikes.push(() => {
      killed += 1;
      workers.shift()?.child.kill("SIGKILL");
      replaced.push(place.worker().then((worker) => workers.push(worker)));
    });
  const ids = await Promise.all(
    Array.from({ length: many }, async () => (await client.create({ mode: "accept-edits" })).id),
  );
  await Promise.all(ids.map((id, number) => client.command(id, message(`count in ${fileOf(number)}`))));
  const logs = await Promise.all(ids.map((id) => untilFact(client, id, isTurnEnd)));
  await Promise.all(replaced);
  expect(killed).toBe(kills);
  for (const [number, facts] of logs.entries()) await expectCounted(facts, place.home.workspace, number);
  const left = "SELECT count(*)::int AS count FROM runs WHERE state <> 'rests'";
  await expect.poll(() => place.rows(left)).toEqual([{ count: 0 }]);
});

test("the database server crashes and comes back: every turn finishes, and no change is made twice", async () => {
  const server = await databaseServer();
  onTestFinished(() => server.remove());
  const many = 6;
  const back: Promise<void>[] = [];
  const at = { workspace: "" };
  const model = countingModel(at, (round) => {
    if (round === many * 2) back.push(server.kill().then(() => server.start()));
  });
  const place = await scalePlace(model, { files: zeros(many), server: server.address });
  at.workspace = place.home.workspace;
  const { client } = await place.gateway();
  await Promise.all([place.worker(), place.worker()]);
  const ids = await Promise.all(
    Array.from({ length: many }, async () => (await client.create({ mode: "accept-edits" })).id),
  );
  await Promise.all(ids.map((id, number) => client.command(id, message(`count in ${fileOf(number)}`))));
  const logs = await Promise.all(ids.map((id) => untilFact(client, id, isTurnEnd)));
  await Promise.all(back);
  expect(back).toHaveLength(1);
  for (const [number, facts] of logs.entries()) await expectCounted(facts, place.home.workspace, number);
});
