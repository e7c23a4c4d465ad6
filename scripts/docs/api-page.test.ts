import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { apiPage, undocumented } from "./api-page.ts";
import { apiReport } from "./api-report.ts";

const root = join(import.meta.dirname, "..", "..");

async function project(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-api-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const empty = { "src/index.ts": "", "src/testing.ts": "", "src/client.ts": "" };
  for (const [path, text] of Object.entries({ ...empty, ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test("every public export has a doc comment, which says whether it is stable", () => {
  expect(undocumented(root)).toEqual([]);
});

test("the API page shows signatures, public class members and types as written, and follows re-exports", async () => {
  const folder = await project({
    "src/index.ts": 'export { make as create, Thing, type Shape } from "./tools/a.ts";',
    "src/client.ts": 'export type { Shape } from "./tools/b.ts";',
    "src/tools/a.ts": `export { type Shape } from "./b.ts";
/** Makes one. @public */
export async function make(shape: Shape, { deep = 1 }: { deep?: number } = {}): Promise<Thing> {
  return new Thing();
}
/** A thing
 * of two lines. @experimental */
export class Thing {
  #hidden = 1;
  readonly shown: number = 2;
  /** How much. */
  count(of: string): number {
    return this.#hidden;
  }
}
`,
    "src/tools/b.ts": "export type Shape = {\n  /** In metres. */\n  side: number;\n};\n",
  });
  const page = apiPage(folder);
  expect(page).toContain(
    "function create(shape: Shape, { deep = 1 }: { deep?: number } = {}): Promise<Thing>;",
  );
  expect(page).toContain(
    "class Thing {\n  readonly shown: number = 2;\n  /** How much. */\n  count(of: string): number;\n}",
  );
  expect(page).toContain("*Experimental.* A thing of two lines.\n");
  expect(page).toContain("type Shape = {\n  /** In metres. */\n  side: number;\n};");
  expect(page).toContain("Also, as in `toolwright`: [Shape](#shape).");
  expect(page).not.toContain("hidden");
  expect(undocumented(folder)).toEqual([
    "toolwright: Shape (src/tools/b.ts)",
    "toolwright/client: Shape (src/tools/b.ts)",
  ]);
});

test("the API report has every exported declaration, and those that it mentions, without comments", async () => {
  const folder = await project({
    "src/index.ts": 'export { make, type Shape } from "./tools/a.ts";',
    "src/tools/a.ts": `import type { Side } from "./b.ts";
import { kinds } from "./b.ts";
/** Makes one. @public */
export function make(shape: Shape): void {
  const unseen: Hidden = shape;
}
/** A shape. @experimental */
export type Shape = {
  /** In metres. */
  sides: Side[];
  kind: (typeof kinds)[number];
};
type Hidden = Shape;
`,
    "src/tools/b.ts": `/** In metres. */
export type Side = { size: Metres };
type Metres = number;
export const kinds = ["square", "circle"] as const;
`,
  });
  const [, entry, , , mentioned] = apiReport(folder).split("\n## ");
  expect(entry).toBe(`\`toolwright\`

### stable

\`\`\`typescript
function make(shape: Shape): void;
\`\`\`

### experimental

\`\`\`typescript
type Shape = {
  sides: Side[];
  kind: (typeof kinds)[number];
};
\`\`\`
`);
  expect(mentioned?.split("\n").slice(5, -2)).toEqual([
    'const kinds = ["square", "circle"] as const;',
    "type Metres = number;",
    "type Side = { size: Metres };",
  ]);
});
