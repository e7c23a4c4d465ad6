/** Kills a process that runs sandboxed commands, many times: `node bench/kills.ts [COUNT]`; what must come out is 0. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { casesFor, killOnce, type Moment } from "../test/support/kills.ts";
import { makePlace, makeTools, people, removePlace, removeTools } from "../test/support/sandbox-place.ts";

const count = Number(process.argv[2] ?? 1000);

/** A third in the first 100 ms of the command, a third of those later, and the rest from before its start. */
function momentOf(turn: number): Moment {
  if (turn % 3 === 0) return { after: "started", ms: Math.random() * 100 };
  if (turn % 3 === 1) return { after: "found", ms: Math.random() * 60 };
  return { after: "started", ms: Math.random() * 600 };
}

const rows = new Map<string, { kills: number; survivors: number; late: number; left: number }>();
const tools = await makeTools();
const places = people.map(makePlace);
for (let turn = 0; turn < count; turn += 1) {
  const place = places[turn % places.length];
  if (place === undefined) break;
  const cases = casesFor(place.person);
  const tried = cases[Math.floor(turn / 6) % cases.length];
  if (tried === undefined) break;
  const { survivors, late, left } = await killOnce(tried, { place, tools }, momentOf(turn));
  const name = `${tried.name}, as ${place.person.name}`;
  const row = rows.get(name) ?? { kills: 0, survivors: 0, late: 0, left: 0 };
  rows.set(name, {
    kills: row.kills + 1,
    survivors: row.survivors + survivors.length,
    late: row.late + Number(late),
    left: row.left + left,
  });
  if (survivors.length > 0 || late) process.stdout.write(`${name}: ${survivors.join("\n")}\n`);
  for (const name of ["index", "HEAD", "refs/heads/main"])
    rmSync(join(place.workspace, ".git", `${name}.lock`), { force: true });
  if (turn % 100 === 99) console.table(Object.fromEntries(rows));
}
for (const place of places) removePlace(place);
removeTools(tools);
console.table(Object.fromEntries(rows));
