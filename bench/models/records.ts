/** Keeps what was measured line by line, so that a run of an hour that was stopped goes on where it was. */

import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../src/base/json.ts";

const folder = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "measured-models");

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
  const path = join(folder, `${name.replaceAll(/[^\w.-]/gu, "-")}.jsonl`);
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
