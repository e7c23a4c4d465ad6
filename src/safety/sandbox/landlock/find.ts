/** Finds out whether Landlock can contain commands here, by containing one that tries to get out. */

import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDirectorySync } from "../../../base/safe-fs/own-files.ts";
import { removeTreeSoon } from "../../../base/safe-fs/remove-tree.ts";
import { isExecutable } from "../../on-disk.ts";
import type { LeftoversTold } from "../leftovers.ts";
import type { ProcessLimits } from "../process-limits.ts";
import type { ContainRequest } from "../request.ts";
import type { Sandbox } from "../sandbox-kinds.ts";
import { machineOf } from "../seccomp.ts";
import { outputOf } from "../try-out.ts";
import { oldestVersion, signalsVersion } from "./grants.ts";
import { perls, versionCommand } from "./helper.ts";
import { containInLandlock, type LandlockFacts, landlockProfiles, noOverlaysHere } from "./landlock.ts";

/** `instead`: why the better sandbox does not work. */
export async function findLandlock(limits: ProcessLimits, instead: string): Promise<Sandbox> {
  const neither = (because: string): Sandbox => ({
    kind: "none",
    because: `${instead}; Landlock, which could stand in for it, does not work here either: ${because}`,
  });
  const machine = machineOf(process.arch);
  if (machine === undefined) return neither(`there is no filter for system calls on ${process.arch}`);
  const perl = perls.find(isExecutable);
  if (perl === undefined) return neither("it needs Perl, which is not installed (package perl or perl-base)");
  const version = Number((await outputOf(versionCommand(perl))).text);
  if (!(version >= oldestVersion))
    return neither("this kernel does not have it as of Linux 6.2, or this container forbids it");
  const facts = { perl, version, machine, limits };
  const problem = await problemWith(facts);
  return problem === "" ? landlockSandbox(facts, instead) : neither(problem);
}

function landlockSandbox(facts: LandlockFacts, instead: string): Sandbox {
  const told: LeftoversTold = new Map();
  const signals = "commands can end your other programs (not from Linux 6.12 on)";
  return {
    kind: "landlock",
    version: String(facts.version),
    lacks: [
      `it holds less than bubblewrap (docs/sandbox.md says what), which does not work here: ${instead}`,
      ...(facts.version < signalsVersion ? [signals] : []),
    ],
    profiles: landlockProfiles,
    contain: (request) => containInLandlock(request, facts, told),
    overlays: () => Promise.resolve({ works: false, because: noOverlaysHere }),
    openToSockets: () => Promise.resolve([]),
  };
}

/** Says what works, not what fails: a trial that ends early says too little. */
const trial = `
echo x > sub/inside && echo x > "$TMPDIR/temporary" && echo writes
{ echo x > ../outside; } 2>/dev/null || echo keeps-out
{ read -r line < .env; } 2>/dev/null || echo hides
{ echo x > .git/config; } 2>/dev/null || echo protects
"$0" -e 'socket(my $one, 1, 1, 0) or socket(my $two, 2, 1, 0) or print "no-sockets\\n"'
`;
const worked = ["writes", "keeps-out", "hides", "protects", "no-sockets", ""].join("\n");

async function problemWith(facts: LandlockFacts): Promise<string> {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "toolwright-landlock-")));
  try {
    const [workspace, stateDir] = [join(root, "workspace"), join(root, "state")];
    for (const path of [join(workspace, "sub"), join(workspace, ".git"), stateDir])
      makeDirectorySync(path, 0o700);
    writeFileSync(join(workspace, ".env"), "KEY=x\n");
    const request: ContainRequest = {
      profile: "build",
      command: ["/bin/sh", "-c", trial, facts.perl],
      directory: workspace,
      env: { PATH: "/usr/bin:/bin" },
      workspace,
      stateDir,
      home: root,
    };
    const contained = await containInLandlock(request, facts, new Map());
    if (!contained.ok) return contained.problem;
    const { exit, text } = await outputOf(contained.value.command, { env: contained.value.env });
    await contained.value.finished();
    return exit === 0 && text === worked ? "" : text.trim() || `its trial ended with ${exit ?? "a signal"}`;
  } finally {
    await removeTreeSoon(root);
  }
}
