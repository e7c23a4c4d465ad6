/** `npm run requirements`: prints how many tests carry each requirement's id; fails if one has none. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { coverageOf, inWords, type TestFile, uncovered } from "./requirements/covered.ts";
import { requirements } from "./requirements/list.ts";

const root = join(import.meta.dirname, "..");
const places = ["src", "test", "scripts"];
const isOfTests = (name: string): boolean => /\.test\.ts$|-contract[^/]*\.ts$/u.test(name);

async function testFiles(place: string): Promise<TestFile[]> {
  const names = await readdir(join(root, place), { recursive: true });
  const paths = names.filter(isOfTests).map((name) => join(place, name));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), "utf8") })));
}

const files = (await Promise.all(places.map(testFiles))).flat();
const all = coverageOf(requirements, files);
for (const one of all) console.log(inWords(one));
const without = uncovered(all);
console.log(
  without.length === 0
    ? `All ${all.length} requirements are answered, or say what they wait for.`
    : `${without.length} of ${all.length} have no test: ${without.map(({ id }) => id).join(", ")}.`,
);
process.exitCode = without.length === 0 ? 0 : 1;
