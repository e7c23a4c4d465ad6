/**
 * What a turn costs a gateway, a worker and the database, and how long it takes, with more and more sessions at once.
 * The model answers at once, so that everything but the model is measured: these are the points of `bench/scale-model.ts`.
 */

import { expect, test } from "vitest";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { quantile, told } from "../support/figures.ts";
import { idleSeconds, processorSeconds } from "../support/processor-seconds.ts";
import { isTurnEnd, message, scalePlace } from "../support/scale-place.ts";
import { sized } from "../support/scale-size.ts";

/** A turn: four times an answer that reads a file, and one that only has words. */
const rounds = 5;
const words = "Some words that are read as they come, as in every answer of a model. ";

test.each([1, 2, 4, 8, 16, 32].slice(0, sized(3, 6)))("turns of %i sessions at once", async (sessions) => {
  const turns = sized(4, 20);
  const model = scriptedModel(({ messages }) => {
    const request = messages.findLastIndex(({ role }) => role === "user");
    const made = messages.slice(request).filter(({ role }) => role === "tool").length;
    return made < rounds - 1
      ? [{ say: words }, { call: "read_file", with: { path: "a.txt", from: made + 1 } }]
      : [{ say: words }];
  });
  const place = await scalePlace(model, { files: { "a.txt": "one\ntwo\nthree\nfour\nfive\n" } });
  const { client, child: gateway } = await place.gateway();
  const { child: worker } = await place.worker("--sessions", String(sessions));
  const [server] = await place.rows("SELECT pg_backend_pid() AS pid");
  const spent = () => ({
    worker: processorSeconds(worker.pid),
    gateway: processorSeconds(gateway.pid),
    database: processorSeconds(Number(server?.["pid"]), "siblings"),
    here: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    idle: idleSeconds(),
  });
  const took: number[] = [];
  const ends: object[] = [];
  const go = Promise.withResolvers<void>();
  /** One turn to warm up, and when all are warm, the turns that count. */
  const work = async (id: string, warm: () => void): Promise<void> => {
    const stop = new AbortController();
    let begun = 0;
    await client.command(id, message("go"));
    for await (const event of client.events(id, {}, { signal: stop.signal })) {
      if (!("seq" in event) || !isTurnEnd(event)) continue;
      ends.push(event);
      if (begun > 0) took.push(performance.now() - begun);
      if (event.turn > turns) break;
      warm();
      await go.promise;
      begun = performance.now();
      await client.command(id, message("go"));
    }
    stop.abort();
  };
  const works: Promise<void>[] = [];
  const warmed: Promise<void>[] = [];
  for (let at = 0; at < sessions; at += 1) {
    const { id } = await client.create({ mode: "ask" });
    const warm = Promise.withResolvers<void>();
    works.push(work(id, warm.resolve));
    warmed.push(warm.promise);
  }
  await Promise.all(warmed);
  const [before, begun, asked] = [spent(), performance.now(), model.prompts.length];
  go.resolve();
  await Promise.all(works);
  expect(took).toHaveLength(sessions * turns);
  for (const end of ends) expect(end).toMatchObject({ stopped: "done" });
  const [after, seconds, made] = [spent(), (performance.now() - begun) / 1_000, model.prompts.length - asked];
  const stored =
    "SELECT count(*)::float AS facts, avg(pg_column_size(facts.*))::float AS bytes FROM toolwright.facts";
  const [{ facts = 0, bytes = 0 } = {}] = await place.rows(stored);
  const each = (name: keyof typeof after): number => (1_000_000 * (after[name] - before[name])) / made;
  told({
    sessions,
    milliroundsPerSecond: (1_000 * made) / seconds,
    turnP50Ms: quantile(took, 0.5),
    turnP90Ms: quantile(took, 0.9),
    workerMicroseconds: each("worker"),
    gatewayMicroseconds: each("gateway"),
    databaseMicroseconds: each("database"),
    hereMicroseconds: each("here"),
    millifactsPerRound: (1_000 * Number(facts)) / model.prompts.length,
    bytesPerFact: Number(bytes),
    millicoresLeft: (1_000 * (after.idle - before.idle)) / seconds,
  });
});
