/** The bundle of the extension's host. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleExtension } from "./bundles.ts";

/** Loading this much takes 20 ms of CPU. */
const mostBytes = 160 * 1024;

test("activation loads little: no schemas, no client, no server", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-extension-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await bundleExtension(folder);
  const eager = await eagerChunks(folder, "extension.cjs");
  const all = [...eager.values()].join("\n");
  expect(all.length).toBeLessThan(mostBytes);
  expect([...eager.keys()].filter((name) => /^(?:schemas|open-core|tool-server)-/u.test(name))).toEqual([]);
});

/** What is loaded with a file, by name: those that it requires at its top, and theirs. */
async function eagerChunks(
  folder: string,
  name: string,
  known = new Map<string, string>(),
): Promise<Map<string, string>> {
  if (known.has(name)) return known;
  const text = await readFile(join(folder, name), "utf8");
  known.set(name, text);
  for (const [, other = ""] of text.matchAll(/[=,;]\s*(?:\w+=)?require\("\.\/([\w.-]+)"\)/gu))
    await eagerChunks(folder, other, known);
  return known;
}
