import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const json = async (path: string) => JSON.parse(await readFile(join(root, path), "utf8"));

test("the registry's entry names this version of the package, and its icon takes the editor's colour", async () => {
  const { version, license } = await json("package.json");
  const entry = await json("editors/acp-registry/toolwright/agent.json");
  expect(entry).toMatchObject({ id: "toolwright", version, license });
  expect(entry.distribution.npx).toEqual({ package: `toolwright@${version}`, args: ["acp"] });
  const icon = await readFile(join(root, "editors/acp-registry/toolwright/icon.svg"), "utf8");
  expect(icon.match(/(?:fill|stroke)="[^"]*"/gu)).toEqual(['fill="none"', 'stroke="currentColor"']);
});
