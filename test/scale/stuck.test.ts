/** No worker is left: `toolwright admin stuck` finds what waits for one, and ends it, and nothing else. */

import { hostname } from "node:os";
import { expect, test } from "vitest";
import { type ScriptedModel, scriptedModel } from "../../src/providers/scripted-model.ts";
import { runCommand } from "../support/command.ts";
import { isTurnEnd, message, scalePlace, untilFact } from "../support/scale-place.ts";
import { expectWhole } from "../support/whole-log.ts";

const never = new Promise<never>(() => undefined);

/** With one gateway, and the command in a process of its own. */
async function stuckPlace(model: ScriptedModel) {
  const place = await scalePlace(model);
  const admin = (...words: string[]) => {
    const flags = ["--database", place.database, "--state-dir", `${place.home.root}/admin`];
    return runCommand(place.home, ["admin", ...words, ...flags, "--output", "json"]);
  };
  const stuck = async (): Promise<unknown[]> => JSON.parse((await admin("stuck")).stdout).sessions;
  const { client } = await place.gateway();
  return { ...place, client, admin, stuck };
}

test("the only worker is killed: its session is stuck, its request is ended, and the next one begins in a new worker", async () => {
  const model = scriptedModel((_prompt, round) =>
    round === 1 ? [{ say: "Half" }, { wait: never }] : [{ say: "Whole." }],
  );
  const place = await stuckPlace(model);
  const { client, admin, stuck } = place;
  const worker = await place.worker();
  const { id } = await client.create({});
  await client.command(id, message("speak"));
  await expect.poll(() => model.prompts.length).toBe(1);
  expect(await stuck()).toEqual([]);
  expect(await admin("stuck", "end", id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("interrupt it from a client instead"),
  });

  worker.child.kill("SIGKILL");
  await worker.ended;
  await expect
    .poll(stuck)
    .toMatchObject([
      { id, machine: hostname(), why: `It waits for a worker on ${hostname()}, and none lives there.` },
    ]);
  const asked = client.command(id, message("and now?"));
  await expect.poll(() => place.rows("SELECT 1 FROM asks WHERE worker IS NULL")).toHaveLength(1);
  expect(JSON.parse((await admin("stuck", "end", id)).stdout)).toEqual({ ended: id, refused: 1 });
  expect(await asked).toEqual({ ok: false, problem: expect.stringContaining("`toolwright admin`") });
  expect(await stuck()).toEqual([]);
  expect(await place.rows("SELECT state, worker FROM runs")).toEqual([{ state: "rests", worker: null }]);
  const ended = await untilFact(client, id, isTurnEnd);
  expectWhole(ended);
  expect(ended.at(-1)).toMatchObject({ stopped: "interrupted", by: "toolwright admin" });

  await place.worker();
  expect(await client.command(id, message("once more"))).toEqual({ ok: true });
  const facts = await untilFact(client, id, (fact) => isTurnEnd(fact) && fact.turn === 2);
  expect(facts.at(-1)).toMatchObject({ stopped: "done", text: "Whole." });
  expect(model.prompts).toHaveLength(2);
});

test("a session of which worker after worker died is left, told as such, and goes on with a new request", async () => {
  const model = scriptedModel((prompt) =>
    JSON.stringify(prompt.messages).includes("once more") ? [{ say: "Whole." }] : [{ wait: never }],
  );
  const { client, worker, admin, stuck } = await stuckPlace(model);
  const first = await worker();
  const { id } = await client.create({});
  await client.command(id, message("speak"));
  const deaths = 5;
  for (let death = 1, last = first; death <= deaths; death += 1) {
    await expect.poll(() => model.prompts.length).toBe(death);
    last.child.kill("SIGKILL");
    last = await worker();
  }
  const why = `${deaths} workers in a row died of it, and it was left as it is.`;
  await expect.poll(stuck).toMatchObject([{ id, why }]);
  expect(await admin("stuck", "end", id)).toMatchObject({ code: 0 });
  expect(await stuck()).toEqual([]);
  expect(await client.command(id, message("once more"))).toEqual({ ok: true });
  const facts = await untilFact(client, id, (fact) => isTurnEnd(fact) && fact.turn === 2);
  expectWhole(facts);
  expect(facts.at(-1)).toMatchObject({ stopped: "done", text: "Whole." });
});
