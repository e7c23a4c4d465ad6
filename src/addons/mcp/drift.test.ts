/** Pinned tool definitions, whatever the tools' names and however many a server lists. */

import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { mostStateFileBytes } from "../../base/bounds.ts";
import { toolServerBounds } from "./bounds.ts";
import { Drift } from "./drift.ts";
import { definitionHash } from "./pins.ts";
import { temporaryPlace } from "./testing/servers.ts";

async function remembered() {
  const place = await temporaryPlace();
  onTestFinished(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));
  const open = async (): Promise<Drift> => {
    const drift = new Drift(place, { name: "s", identity: "[]" });
    await drift.ready();
    return drift;
  };
  const bytes = async (): Promise<number> => {
    const [file = ""] = await readdir(join(place, "mcp"));
    return (await stat(join(place, "mcp", file))).size;
  };
  return { open, bytes };
}

const named = (names: readonly string[], description = "Does it.") =>
  names.map((name) => ({ name, description }));
const numbered = (count: number, of: string): string[] =>
  Array.from({ length: count }, (_, at) => `${of}${at}`);

test("huge definitions and very long names are recognized in a later session", async () => {
  const { open, bytes } = await remembered();
  const names = numbered(toolServerBounds.listEntries.most, `${"\u0001".repeat(3_000)}-`);
  const huge = { name: "huge", description: "x".repeat(3 * 1024 ** 2) };
  const first = await open();
  first.compare([huge, ...named(names)]);
  await first.written();
  expect(await bytes()).toBeLessThan(mostStateFileBytes / 4);
  const again = await open();
  again.compare([huge, ...named(names)]);
  expect(again.changed).toEqual([]);
  again.compare([{ ...huge, description: `${huge.description}!` }, ...named(names.slice(1))]);
  expect(again.changed).toEqual(["huge"]);
});

test("a server listing ever new tools neither evicts earlier pins nor grows the pin file without bound", async () => {
  const { open, bytes } = await remembered();
  const drift = await open();
  drift.compare(named(["echo"]));
  for (let round = 0; round < 5; round += 1)
    drift.compare(named(numbered(1_000, `${"\u0001".repeat(50)}${round}-`)));
  await drift.written();
  expect(await bytes()).toBeLessThan(mostStateFileBytes);
  const again = await open();
  again.compare(named(["echo"], "Does something else."));
  expect(again.changed).toEqual(["echo"]);
  again.compare(named(["unseen"]));
  expect(again.changed).toEqual(["unseen"]);
  expect(again.accept()).toEqual(["unseen"]);
  await again.written();
  const last = await open();
  last.compare(named(["unseen"]));
  expect(last.changed).toEqual([]);
});

test("an approval covers the tool's definition at that time, not a later one", async () => {
  const { open } = await remembered();
  const drift = await open();
  const [first, seen, later] = ["One.", "Two.", "Three."].map((words) => named(["echo"], words));
  drift.compare(first ?? []);
  drift.compare(seen ?? []);
  const hash = definitionHash(seen?.[0] ?? {});
  drift.compare(later ?? []);
  expect(drift.acceptAs("echo", hash)).toBe(false);
  expect(drift.changed).toEqual(["echo"]);
  drift.compare(seen ?? []);
  expect(drift.acceptAs("echo", hash)).toBe(true);
  expect(drift.changed).toEqual([]);
});
