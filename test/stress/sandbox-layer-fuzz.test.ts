/** Random file operations have the same result with an overlay as without, and undo restores what was there. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scale } from "../../src/testing/scale.ts";
import {
  makePlace,
  makeTools,
  own,
  people,
  type Person,
  type Place,
  removePlace,
  removeTools,
  requestFor,
  runAs,
  type Tools,
  write,
} from "../support/sandbox-place.ts";
import { snapshotOf } from "../support/sandbox-snapshot.ts";

let tools: Tools;
beforeAll(async () => {
  tools = await makeTools();
});
afterAll(() => removeTools(tools));

/** TOOLWRIGHT_RUNS multiplies them. */
const scripts = 60 * scale;

const name = fc.constantFrom("a", "b", "c", "d");
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
const fileMode = fc.constantFrom("600", "755", "444", "000", "u+w");
/** A directory without read or write permission cannot be moved within an overlay, where moving is copying and removing. */
// Not 2755: without an overlay no set-id bit can be set at all (test/stress/sandbox-set-id.test.ts), over one a directory keeps it.
const directoryMode = fc.constantFrom("700", "711", "755", "1755", "1777");

/** By way of another directory: copying into itself depends on the order of names in a directory. */
const copy = (from: string): string => `rm -rf /tmp/copy; cp -rfP ${from} /tmp/copy`;

/** A step that fails, fails on both sides. No hard links, which an overlay breaks (docs/sandbox.md). */
const step = fc.oneof(
  fc.tuple(path, fc.nat(99)).map(([at, text]) => `echo ${text} > ${at}`),
  fc.tuple(path, fc.nat(99)).map(([at, text]) => `echo ${text} >> ${at}`),
  path.map((at) => `rm -rf ${at}`),
  path.map((at) => `rm ${at}`),
  path.map((at) => `mkdir -p ${at}`),
  path.map((at) => `rmdir ${at}`),
  fc.tuple(path, path).map(([from, to]) => `mv -f ${from} ${to}`),
  fc.tuple(path, path).map(([from, to]) => `${copy(from)} && cp -rfP /tmp/copy ${to}`),
  fc.tuple(path, path).map(([to, at]) => `ln -sfn ${to} ${at}`),
  fc.tuple(fileMode, path).map(([rights, at]) => `test -f ${at} && chmod ${rights} ${at}`),
  fc.tuple(directoryMode, path).map(([rights, at]) => `test -d ${at} && chmod ${rights} ${at}`),
  fc
    .tuple(path, path)
    .map(([from, to]) => `${copy(from)}; rm -rf ${to}; mkdir -p ${to}; cp -rP /tmp/copy ${to}`),
);

function makeTree(place: Place, at: string): string {
  const workspace = join(place.home, at);
  mkdirSync(workspace);
  for (const file of ["a", "b/a", "b/b", "b/c/a", "b/c/d", "c/a/a"])
    write(workspace, file, `the text of ${file}\n`);
  return workspace;
}

test.each(people)(
  "as $name: random work leaves the same files, modes and links with a layer as without, and undo restores them",
  async (person: Person) => {
    const place = makePlace(person);
    const samples = fc.sample(fc.array(step, { minLength: 1, maxLength: 10 }), {
      numRuns: scripts,
      seed: Number(process.env["TOOLWRIGHT_SEED"] ?? 5),
    });
    const after = ["leave", "make", "undo"] as const;
    const works = samples.map((steps, at) => ({
      line: `{ ${steps.join("; ")}; } 2>/dev/null`,
      trees: after.map((way) => makeTree(place, `${at}-${way}`)),
    }));
    own(place.home, person);
    const [before] = works.map(({ trees }) => snapshotOf(trees[2] ?? ""));
    try {
      const requests = works.flatMap(({ line, trees }) =>
        trees.map((workspace, at) =>
          requestFor(place, "build", line, { workspace, directory: workspace, overlay: at > 0 }),
        ),
      );
      const outcomes = await runAs(tools, person, { requests, after: works.flatMap(() => after) });
      for (const [at, { line, trees }] of works.entries()) {
        const [plain, made, undone] = trees.map((tree) => snapshotOf(tree));
        const [, over] = outcomes.slice(at * 3);
        expect(made, line).toEqual(plain);
        expect(over?.warnings, line).toEqual([]);
        if (over?.uncovered.length === 0) expect(undone, line).toEqual(before);
      }
    } finally {
      removePlace(place);
    }
  },
);
