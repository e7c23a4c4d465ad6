/** A worker is cut off from everything in the middle of its turns: another goes on with them, and it writes nothing. */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { databaseServer } from "../postgres/server.ts";
import { cutOffNetwork, passOn } from "../support/cut-off-network.ts";
import { told } from "../support/figures.ts";
import { isTurnEnd, message, scalePlace, untilFact } from "../support/scale-place.ts";
import { sized, slack } from "../support/scale-size.ts";
import { expectWhole } from "../support/whole-log.ts";

const steps = 5;
const mostTakeoverMs = 8_000 * slack;

test("what a worker was at when its network was cut goes on elsewhere, once, also when the network heals", async () => {
  const many = sized(4, 40);
  const network = cutOffNetwork(7);
  const server = await databaseServer(network.here);
  onTestFinished(() => server.remove());
  const at = { workspace: "" };
  const isCut = Promise.withResolvers<void>();
  let cutAt = 0;
  let resumedAt = 0;
  const model = scriptedModel((prompt, round) => {
    const said = JSON.stringify(prompt.messages.find(({ role }) => role === "user"));
    const path = /f\d+\.txt/u.exec(said)?.[0] ?? "";
    const made = Number(readFileSync(join(at.workspace, path), "utf8"));
    if (round === many * 2) {
      network.cut();
      cutAt = performance.now();
      isCut.resolve();
    } else if (cutAt > 0 && resumedAt === 0) resumedAt = performance.now();
    if (made >= steps) return [{ say: "Counted." }];
    return [{ call: "edit_file", with: { path, old: `${made}\n`, new: `${made + 1}\n` } }];
  });
  const files = Object.fromEntries(Array.from({ length: many }, (_, one) => [`f${one}.txt`, "0\n"]));
  const place = await scalePlace(model, { files, server: server.address });
  at.workspace = place.home.workspace;
  const { client } = await place.gateway();
  const database = new URL(place.database);
  database.hostname = network.here;
  database.searchParams.set("sslmode", "disable");
  const port = await passOn(network.here, Number(place.model.port));
  const cutOff = await place.workerElsewhere({
    through: network.inside,
    database: database.href,
    model: `http://${network.here}:${port}`,
  });
  const ids = await Promise.all(
    Array.from({ length: many }, async () => (await client.create({ mode: "accept-edits" })).id),
  );
  const sent = ids.map((id, one) => client.command(id, message(`count in f${one}.txt`)));
  await isCut.promise;
  await place.worker();
  const logs = await Promise.all(ids.map((id) => untilFact(client, id, isTurnEnd)));
  network.heal();
  await Promise.all(sent);
  cutOff.child.kill("SIGTERM");
  await cutOff.ended;
  told({ takeoverMs: resumedAt - cutAt });
  expect(resumedAt - cutAt).toBeLessThan(mostTakeoverMs);
  for (const [one, before] of logs.entries()) {
    const { facts } = await client.facts(ids[one] ?? "", { limit: 1_000 });
    expect(facts).toEqual(before);
    expectWhole(facts);
    expect(facts.filter((fact) => fact.type === "change-applied" && fact.changes.length > 0)).toHaveLength(
      steps,
    );
    expect(await readFile(join(at.workspace, `f${one}.txt`), "utf8")).toBe(`${steps}\n`);
  }
});
