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
import { quantile, told } from "../support/figures.ts";
import { isTurnEnd, message, scalePlace, untilFact } from "../support/scale-place.ts";
import { sized, slack } from "../support/scale-size.ts";
import { expectWhole } from "../support/whole-log.ts";

const steps = 5;
/** How soon after a kill others must have found it, and go on with what was running, in milliseconds. */
const goals = { found: 1_000, resumed: 2_000, afterCrash: 15_000 };
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
  const [many, kills] = [sized(12, 200), sized(4, 10)];
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
  const killed: { at: number; pid: number; had: ReturnType<typeof place.rows> }[] = [];
  const replaced: Promise<unknown>[] = [];
  for (let kill = 0; kill < kills; kill += 1)
    strikes.push(() => {
      const { child } = workers.shift() ?? {};
      const pid = child?.pid ?? 0;
      child?.kill("SIGKILL");
      const had = `SELECT session FROM runs, workers WHERE worker = workers.id AND state = 'admitted' AND pid = ${pid}`;
      killed.push({ at: Date.now(), pid, had: place.rows(had) });
      replaced.push(place.worker().then((worker) => workers.push(worker)));
    });
  const ids = await Promise.all(
    Array.from({ length: many }, async () => (await client.create({ mode: "accept-edits" })).id),
  );
  await Promise.all(ids.map((id, number) => client.command(id, message(`count in ${fileOf(number)}`))));
  const logs = await Promise.all(ids.map((id) => untilFact(client, id, isTurnEnd)));
  await Promise.all(replaced);
  expect(killed).toHaveLength(kills);
  for (const [number, facts] of logs.entries()) await expectCounted(facts, place.home.workspace, number);
  const left = "SELECT count(*)::int AS count FROM runs WHERE state <> 'rests'";
  await expect.poll(() => place.rows(left)).toEqual([{ count: 0 }]);
  const dead = await place.rows("SELECT pid, extract(epoch FROM died) * 1000 AS died FROM workers");
  const found = killed.map(
    (one) => Number(dead.find(({ pid }) => Number(pid) === one.pid)?.["died"]) - one.at,
  );
  const resumed: number[] = [];
  for (const { at: killedAt, had } of killed)
    for (const { session } of await had) {
      const facts = logs[ids.findIndex((id) => id === session)] ?? [];
      resumed.push((facts.find((fact) => fact.at > killedAt)?.at ?? Number.NaN) - killedAt);
    }
  const p50 = { found: quantile(found, 0.5), resumed: quantile(resumed, 0.5) };
  told({ kills, brokenOff: resumed.length, foundP50Ms: p50.found, resumedP50Ms: p50.resumed });
  expect(p50.found).toBeLessThan(goals.found * slack);
  expect(p50.resumed).toBeLessThan(goals.resumed * slack);
});

test("the database server crashes and comes back: every turn finishes, and no change is made twice", async () => {
  const server = await databaseServer();
  onTestFinished(() => server.remove());
  const many = sized(6, 100);
  const back: Promise<void>[] = [];
  let backAt = 0;
  const at = { workspace: "" };
  const model = countingModel(at, (round) => {
    if (round === many * 2)
      back.push(
        server
          .kill()
          .then(() => server.start())
          .then(() => void (backAt = Date.now())),
      );
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
  const lastMs = Math.max(...logs.map((facts) => facts.at(-1)?.at ?? 0)) - backAt;
  told({ turns: many, lastTurnEndedMs: lastMs });
  expect(lastMs).toBeLessThan(goals.afterCrash * slack);
  for (const [number, facts] of logs.entries()) await expectCounted(facts, place.home.workspace, number);
});
