/** Gathers the limits of all rooms: the `bounds.ts` of each. */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Area, BoundSection } from "../../src/base/bound.ts";

/** With the file that they stand in. */
export type SourcedBounds = BoundSection & { file: string };

/** By the titles that stand above them, in the order of their rooms. */
export async function boundSections(root: string): Promise<SourcedBounds[]> {
  const files = globSync("src/**/bounds.ts", { cwd: root }).toSorted();
  const sections = await Promise.all(
    files.map(async (file) => {
      const text = readFileSync(join(root, file), "utf8");
      const areas: Record<string, Area> = await import(join(root, file));
      return [...text.matchAll(/\/\*\* ([^\n]*) \*\/\nexport const (\w+Bounds) =/gu)].map(
        ([, title = "", name = ""]) => ({
          title,
          file,
          rows: Object.entries(areas[name] ?? {}).map(([key, bound]) => ({
            name: `${name}.${key}`,
            ...bound,
          })),
        }),
      );
    }),
  );
  return sections.flat();
}

/** The module from which `toolwright doctor` lists them. */
export const boundRows = (
  sections: readonly BoundSection[],
): string => `/** Written by \`npm run docs\` from the rooms' bounds: change those. */

import type { BoundSection } from "../../base/bound.ts";

export const boundRows: readonly BoundSection[] = [
${sections.map(({ title, rows }) => `  ${JSON.stringify({ title, rows })},`).join("\n")}
];
`;
