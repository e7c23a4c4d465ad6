/**
 * Keeps what was measured line by line, so that a run of an hour that was stopped goes on where it was, as long as the
 * dialects are what they were.
 */

import { appendFile, glob, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { collect } from "../../src/base/async.ts";
import { sha256 } from "../../src/base/crypto.ts";
import { parseJson } from "../../src/base/json.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = join(root, "node_modules", ".cache", "measured-models");

type RecordFile<T> = {
  /** `at`: when it was measured, in milliseconds since 1970. */
  all: readonly (T & { at: number })[];
  add(record: T): Promise<void>;
};

const dated = z.object({ at: z.number() });

/** `name` says what was measured of which model. A line that was cut off while it was written is left out. */
export async function openRecords<T extends object>(
  name: string,
  shape: z.core.$ZodType<T>,
): Promise<RecordFile<T>> {
  const path = join(folder, `${name.replaceAll(/[^\w.-]/gu, "-")}-${await digestOfDialects()}.jsonl`);
  await mkdir(dirname(path), { recursive: true });
  const text = await readFile(path, "utf8").catch(() => "");
  const all = text.split("\n").flatMap((line) => {
    const parsed = parseJson(line);
    if (!parsed.ok) return [];
    const [read, time] = [z.safeParse(shape, parsed.value), z.safeParse(dated, parsed.value)];
    return read.success && time.success ? [{ ...read.data, ...time.data }] : [];
  });
  return {
    all,
    async add(record) {
      const kept = { ...record, at: Date.now() };
      await appendFile(path, `${JSON.stringify(kept)}\n`);
      all.push(kept);
    },
  };
}

/** Answers in another form say nothing of this one. */
async function digestOfDialects(): Promise<string> {
  const paths = await collect(glob("src/dialects/**/*.ts", { cwd: root }));
  const sources = paths.filter((path) => !path.endsWith(".test.ts")).toSorted();
  const texts = await Promise.all(sources.map((path) => readFile(join(root, path))));
  return sha256(Buffer.concat(texts)).slice(0, 12);
}
