/**
 * A trusted item runs only what was approved, whatever contained commands do meanwhile to the files that it runs (SAFETY
 * 1, row 10).
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Profile } from "../../src/protocol/facts.ts";
import { put } from "../support/command.ts";
import { swapLine } from "../support/swapper.ts";
import { contained, trustedPlace } from "../support/trusted-place.ts";

/** `TOOLWRIGHT_TRUST_STARTS=1000` is the whole attack. */
const starts = Number(process.env["TOOLWRIGHT_TRUST_STARTS"] ?? 12);

const scripts = (script: (word: string) => string) => ({
  "hooks/x.sh": script("good"),
  "hooks/y.sh": script("evil"),
  "evil/x.sh": script("evil"),
});

const kinds = ["hook", "server"] as const;
const swaps: [what: string, line: string][] = [
  ["the script", swapLine(["hooks/x.sh", "hooks/y.sh"])],
  ["its directory", swapLine(["hooks", "evil"])],
  [
    "by copying over it",
    "echo ready; while :; do cp hooks/y.sh hooks/x.sh; mv -f evil/x.sh hooks/x.sh; done 2>/dev/null",
  ],
  [
    "through another name",
    "ln hooks/x.sh z 2>/dev/null; ln -s ../hooks evil/l; echo ready; while :; do cat hooks/y.sh > z; cat hooks/y.sh > evil/l/x.sh; rm -rf hooks; done 2>/dev/null",
  ],
];
const ways: { profile: Profile; isOverlaid: boolean }[] = [
  { profile: "build", isOverlaid: false },
  { profile: "git", isOverlaid: false },
  { profile: "open", isOverlaid: false },
  { profile: "build", isOverlaid: true },
];

test.each(
  kinds.flatMap((kind) => swaps.flatMap(([what, line]) => ways.map((way) => ({ kind, what, line, ...way })))),
)(
  "SAFETY 1: a $kind runs what was approved while a command ($profile, layered: $isLayered) swaps $what",
  async ({ kind, line, ...way }) => {
    const place = await trustedPlace(scripts);
    await place.approve();
    await contained(place, line, way);
    for (let at = 0; at < starts; at += 1) await place[kind]();
    expect(place.started()).toEqual(Array.from({ length: starts }, () => "good"));
  },
);

const before: [what: string, line: string][] = [
  ["could still write there", "echo ready; sleep 1000"],
  [
    "keeps the script open",
    `exec perl -e 'open(F, "+<", "hooks/x.sh"); $| = 1; print "ready\\n"; sleep 1000'`,
  ],
];

test.each(kinds.flatMap((kind) => before.map(([what, line]) => ({ kind, what, line }))))(
  "SAFETY 1: a $kind is not started while a command that began before the approval $what",
  async ({ kind, line }) => {
    const place = await trustedPlace(scripts);
    const running = await contained(place, line);
    await place.approve();
    await place[kind]();
    expect(place.started()).toEqual([]);
    expect(place.warnings.join()).toMatch(
      /begun before .* still runs and could change it: end that command/u,
    );
    await running.stop();
    await place[kind]();
    expect(place.started()).toEqual(["good"]);
  },
);

test("SAFETY 1: a command of another process that began before the approval keeps the item from starting", async () => {
  const place = await trustedPlace(scripts);
  const { workspace, stateDir } = place;
  const words = [join(import.meta.dirname, "../support/contained-child.ts"), workspace, stateDir];
  const other = spawn(process.execPath, ["--no-warnings", ...words, "echo ready; sleep 1000"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void other.kill("SIGKILL"));
  await once(other.stdout, "data");
  await place.approve();
  await place.hook();
  expect(place.started()).toEqual([]);
  other.kill("SIGKILL");
  await once(other, "exit");
  await place.hook();
  expect(place.started()).toEqual(["good"]);
});

test("SAFETY 1: after a person replaces and approves a script again, an older terminal does not count as held back", async () => {
  const place = await trustedPlace(scripts);
  await place.approve();
  await contained(place, "echo ready; sleep 1000");
  await place.hook();
  writeFileSync(
    join(place.workspace, "new"),
    `${readFileSync(join(place.workspace, "hooks/x.sh"), "utf8")}:\n`,
  );
  renameSync(join(place.workspace, "new"), join(place.workspace, "hooks/x.sh"));
  await place.hook();
  await place.approve();
  await place.hook();
  expect(place.started()).toEqual(["good"]);
});

test("SAFETY 1: a script with a second name is not started, and people are told why", async () => {
  const place = await trustedPlace(scripts);
  linkSync(join(place.workspace, "hooks/x.sh"), join(place.workspace, "z"));
  await place.approve();
  await place.hook();
  expect(place.started()).toEqual([]);
  expect(place.warnings.join()).toContain("one file under several names");
});

test("what a command over a layer writes there is lost if it was approved meanwhile, and the result says so", async () => {
  const place = await trustedPlace(scripts);
  const running = await contained(
    place,
    "echo ready; until ls .. | grep -qx go; do sleep 0.02; done; echo evil > hooks/x.sh; echo b > b",
    { isOverlaid: true },
  );
  await place.approve();
  writeFileSync(join(place.workspace, "../go"), "");
  await running.ended;
  expect(running.changes()).toEqual(["b"]);
  expect(running.warnings().join()).toContain(
    "hooks/x.sh was changed by the command, but not in the workspace",
  );
});

test("SAFETY 1: compiled Python beside a trusted script is not what runs", async () => {
  const note = (word: string, script: string) =>
    `def go():\n    open(${JSON.stringify(/>> (\S+)/u.exec(script)?.[1])}, "a").write("${word}\\n")\n`;
  const place = await trustedPlace(
    (script) => ({
      "hk/m.py": "import helper\nhelper.go()\n",
      "hk/helper.py": note("good", script("good")),
      "evil.py": note("evil", script("evil")),
      "plant.py": `import importlib._bootstrap_external as b, importlib.util as u, os
s = os.stat("hk/helper.py")
path = u.cache_from_source("hk/helper.py")
os.makedirs(os.path.dirname(path), exist_ok=True)
code = compile(open("evil.py").read(), "hk/helper.py", "exec")
open(path, "wb").write(b._code_to_timestamp_pyc(code, int(s.st_mtime), s.st_size))
print("ready")
`,
    }),
    { hook: "python3 hk/m.py", server: ["python3", "hk/m.py"] },
  );
  await place.approve();
  await place.hook();
  const running = await contained(place, "python3 plant.py");
  await running.ended;
  expect(running.output()).toContain("ready");
  await place.hook();
  await place.server();
  expect(place.started()).toEqual(["good", "good", "good"]);
});

test("beside a trusted script a command works as ever", async () => {
  const place = await trustedPlace(scripts);
  await place.approve();
  const line = "echo 1 > hooks/n && mv hooks/n hooks/m && mkdir -p d/e && mv d f && rm -r evil && echo ready";
  for (const isOverlaid of [false, true]) {
    const running = await contained(place, line, { isOverlaid });
    await running.ended;
    expect(running.output()).toContain("ready");
    expect(running.warnings()).toEqual([]);
    await put(place.workspace, { "evil/x.sh": "" });
    rmSync(join(place.workspace, "f"), { recursive: true, force: true });
  }
});
