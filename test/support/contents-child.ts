/** Makes, copies, deletes and imports sessions until it is killed: `node contents-child.ts <database>`. */

import { writeSync } from "node:fs";
import { importSession } from "../../src/archive/session-bundles.ts";
import { bundleLines } from "../../src/session/bundle/bundle.ts";
import { ownOwner } from "../../src/session/owner.ts";
import { openSqliteStore } from "../../src/session/sqlite/sqlite.ts";
import { sessionOf } from "./contents-script.ts";

const [database = ""] = process.argv.slice(2);
const store = openSqliteStore(database);
const say = (line: { made: string } | { deletes: string }): void =>
  void writeSync(1, `${JSON.stringify(line)}\n`);
const below = (most: number): number => Math.floor(Math.random() * most);

async function make(id: string): Promise<string> {
  const { entries, owner, output, images } = sessionOf(id, [below(5), below(5), below(5)]);
  await store.create({ id, workspace: "/w", createdAt: 1 });
  const epoch = await store.claim(id, { owner: ownOwner() });
  await store.putBlob(output);
  for (const image of images) await store.keepImage(id, owner, image);
  await store.append(id, epoch, entries.slice(0, 4));
  await store.append(id, epoch, entries.slice(4));
  await store.release(id, epoch);
  return id;
}

async function remove(id: string): Promise<void> {
  say({ deletes: id });
  await store.delete(id);
}

/** Exports a session, possibly deletes it, and imports it again. */
async function travel(id: string): Promise<string> {
  const summary = await store.get(id);
  const lines: Buffer[] = [];
  if (summary)
    for await (const line of bundleLines(store, summary, { leftOut: 0, keepOut: undefined }))
      lines.push(Buffer.from(line));
  if (below(2) === 0) await remove(id);
  const imported = await importSession(store, pieces(lines), { workspace: "/w" });
  if (!imported.ok) throw new Error(imported.problem);
  return imported.value.id;
}

async function* pieces(lines: readonly Buffer[]): AsyncGenerator<Uint8Array, void> {
  yield* lines;
}

for (let at = 0; ; at += 1) {
  const all = (await store.list()).filter(({ facts }) => facts > 0);
  const { id, facts } = all[below(all.length)] ?? { id: await make(`first-${process.pid}-${at}`), facts: 10 };
  const fresh = `s-${process.pid}-${at}`;
  const what = below(all.length > 12 ? 8 : 5);
  if (what < 2) say({ made: await make(fresh) });
  else if (what === 2) {
    await store.copy(id, { id: fresh, workspace: "/w", createdAt: 2 }, 1 + below(facts));
    say({ made: fresh });
  } else if (what === 3) say({ made: await travel(id) });
  else await remove(id);
}
