/** Commands of one answer that run before their turn leave what they leave one after the other. */

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { type ScriptedAnswer, scriptedModel } from "../../src/providers/scripted-model.ts";
import { namedFiles } from "../../src/safety/files-in-line.ts";
import { mayHaveSeen } from "../../src/safety/named-files.ts";
import { findSandbox } from "../../src/safety/sandbox/sandbox.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";
import { scale } from "../../src/testing/scale.ts";
import { factsOf, outcomesOf, resultsOf } from "../../src/testing/scripted-session.ts";
import { testSession } from "../../src/testing/session.ts";
import { temporaryWorkspace } from "../../src/testing/workspace.ts";
import { name, namingLine, tree } from "../support/random-commands.ts";
import { snapshotOf } from "../support/sandbox-snapshot.ts";

const root = mkdtempSync(join(tmpdir(), "toolwright-ahead-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const seed = Number(process.env["TOOLWRIGHT_SEED"] ?? 7);

const change = fc.oneof(
  name.map((at) => [at, `rm -rf ${at}; mkdir -p $(dirname ${at}); echo other > ${at}`] as const),
  name.map((at) => [at, `rm -rf ${at}`] as const),
  name.map((at) => [at, `rm -rf ${at}; mkdir -p ${at}`] as const),
  name.map((at) => [at, `[ -d ${at} ] || chmod +x ${at}`] as const),
);

/** Every path with its kind, mode and target, and every line of every file. */
const look = "find . -printf '%p:%y %m %l\\n'; grep -r '' .";
const next = "printf '\\n#\\n'";

/** What each of these scripts prints, each in the same new tree; the lines are sorted where they are of a tree. */
function inTree(...scripts: string[]): string[] {
  const all = scripts.map((script) => `{ ${script}\n} 2>/dev/null; ${next}`).join("\n");
  const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-c", all], { cwd: work, encoding: "utf8" });
  return stdout.split("\n#\n").map((printed) => printed.split("\n").sort().join("\n"));
}

const [work, kept] = [join(root, "work"), join(root, "kept")];
const fresh = `cd ${root} && rm -rf ${work} && mkdir ${work} && cd ${work} && { ${tree}; }`;

/** Every path that differs. */
function differing(before: string, after: string): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const lines = [...old.filter((one) => !now.includes(one)), ...now.filter((one) => !old.includes(one))];
  return [...new Set(lines.map((one) => one.slice(2).split(":")[0] ?? ""))];
}

test("what changes somewhere else changes nothing of what a line does: random lines and changes, in bash", () => {
  mkdirSync(work);
  inTree(fresh);
  execFileSync("cp", ["-r", work, kept]);
  const place = { workspace: kept, directory: ".", environment: { PATH: "/usr/bin" } };
  let disjoint = 0;
  fc.assert(
    fc.property(namingLine, change, (command, [at, made]) => {
      const files = namedFiles(command, place);
      const ran = `{ ${command}\n}; echo "=$?"`;
      const [, before = "", , changed = "", late, after, , early, , end] = inTree(
        fresh,
        look,
        made,
        look,
        ran,
        look,
        fresh,
        ran,
        made,
        look,
      );
      const paths = [at, ...differing(before, changed)];
      if (!files || paths.some((path) => mayHaveSeen(files, path))) return;
      disjoint += 1;
      expect([early, end]).toEqual([late, after]);
    }),
    { numRuns: 300 * scale, seed },
  );
  expect(disjoint).toBeGreaterThan(30);
});

/** What only its words do not tell. */
const opaque = fc.oneof(
  fc.tuple(name, name).map(([from, to]) => `cp -r ${from} ${to}`),
  fc.tuple(name, name).map(([from, to]) => `mv -f ${from} ${to}`),
  name.map((to) => `cat * > ${to}`),
  name.map((to) => `for x in a b; do echo $x >> ${to}; done`),
  name.map((to) => `ls d > ${to}`),
  fc.tuple(name, name).map(([to, at]) => `ln -sfn ${to} ${at}`),
);
const command = fc
  .tuple(
    fc.constantFrom("", "sleep 0.05; "),
    fc.oneof({ weight: 3, arbitrary: namingLine }, { weight: 1, arbitrary: opaque }),
  )
  .map(([first, rest]) => `${first}${rest}`);
const text = fc.constantFrom("new\n", "other\n");
const call = fc.oneof(
  { weight: 5, arbitrary: command.map((line) => ({ call: "run_command", with: { command: line } })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(name, text)
      .map(([path, content]) => ({ call: "write_file", with: { path, content } })),
  },
);

type Counts = { stood: number; lost: number };

/** The tree, and each call's outcome and words, in order; undoing all leaves the tree as it was. */
async function played(script: readonly ScriptedAnswer[], counts?: Counts) {
  const model = scriptedModel([...script, [{ say: "Done." }]]);
  const opened = await testSession(model, { sandbox: findSandbox, mode: "auto" });
  const { session, workspace } = opened;
  try {
    execFileSync("bash", ["-c", tree], { cwd: workspace.root });
    const before = snapshotOf(workspace.root);
    await opened.ask("go");
    const after = snapshotOf(workspace.root);
    const begun = factsOf(opened.facts(), "call-start").flatMap(({ ahead }) => ahead ?? []);
    if (counts) counts.lost += begun.filter(({ lost }) => lost).length;
    if (counts) counts.stood += begun.filter(({ lost }) => !lost).length;
    const results = factsOf(opened.facts(), "call").map(({ call: { id } }) => {
      const { outcome, content } = resultsOf(opened.facts()).find(({ callId }) => callId === id) ?? {};
      return { outcome, content };
    });
    await session.command({ type: "undo", turn: 1 });
    expect(snapshotOf(workspace.root)).toEqual(before);
    return { after, results };
  } finally {
    await opened.close();
  }
}

test("commands of one answer leave and say what they do one after the other, and undo takes all back", async () => {
  const counts: Counts = { stood: 0, lost: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 5 }), async (calls) => {
      const together = await played([calls], counts);
      const alone = await played(calls.map((one) => [one]));
      expect(together.after).toEqual(alone.after);
      expect(together.results).toEqual(alone.results);
    }),
    { numRuns: 12 * scale, seed, endOnFailure: true },
  );
  expect(Math.min(counts.stood, counts.lost)).toBeGreaterThan(0);
});

test("after a kill nothing is left of a command whose turn had not come, and it runs when its turn comes", async () => {
  const workspace = await temporaryWorkspace({});
  const state = mkdtempSync(join(root, "state-"));
  const database = join(root, "killed.db");
  const child = spawn(process.execPath, [aheadChild, database, workspace.root], {
    env: { ...process.env, TOOLWRIGHT_HOME: state },
    stdio: "inherit",
  });
  const ended = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  await vi.waitFor(() => expect(overlaysIn(state).flat()).toContain("two"), {
    timeout: 60_000,
    interval: 10,
  });
  child.kill("SIGKILL");
  await ended;
  expect(await workspace.files()).toEqual([]);

  vi.stubEnv("TOOLWRIGHT_HOME", state);
  const store = await storeAt(database);
  const [summary] = await store.list();
  const resumed = {
    store,
    workspace,
    resume: summary?.id ?? "",
    mode: "auto",
    sandbox: findSandbox,
  } as const;
  const opened = await testSession(scriptedModel([[{ say: "Done." }]]), resumed);
  onTestFinished(() => opened.close());
  const [, first] = factsOf(opened.facts(), "call").map(({ call: { id } }) => id);
  expect(factsOf(opened.facts(), "call-start").map(({ callId }) => callId)).not.toContain(first);
  await opened.session.command({ type: "go-on" });
  while (opened.session.state.status === "running") {
    await opened.session.idle();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(outcomesOf(opened.facts())).toEqual(["interrupted", "ok"]);
  expect(await workspace.files()).toEqual(["two"]);
  expect(overlaysIn(state)).toEqual([]);
});

const aheadChild = join(import.meta.dirname, "../support/ahead-child.ts");

/** The overlays of every process, by what was written into each. */
function overlaysIn(state: string): string[][] {
  const runs = join(state, "sandbox", "runs");
  const owners = existsSync(runs) ? readdirSync(runs) : [];
  return owners
    .flatMap((owner) => readdirSync(join(runs, owner)).map((name) => join(runs, owner, name)))
    .filter((path) => basename(path).startsWith("layer-"))
    .map((path) => readdirSync(join(path, "upper")));
}
