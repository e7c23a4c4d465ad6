/** What a contained command sees is the same whoever mounts it: the launcher, or bubblewrap where that cannot. */

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProcess } from "../../src/base/process.ts";
import { containInBubblewrap, readyState } from "../../src/safety/sandbox/bubblewrap.ts";
import { type Lifeline, lifelines } from "../../src/safety/sandbox/lifeline.ts";
import { defaultLimits } from "../../src/safety/sandbox/process-limits.ts";
import type { ContainRequest } from "../../src/safety/sandbox/request.ts";
import { machineOf, seccompFilter } from "../../src/safety/sandbox/seccomp.ts";
import { temporaryWorkspace } from "../../src/testing/workspace.ts";

const machine = machineOf(process.arch);
const profiles = ["read", "build", "git", "open"] as const;
const each = profiles.flatMap((profile) =>
  [false, true].flatMap((overlay) => (overlay && profile === "read" ? [] : [{ profile, overlay }])),
);

test.each(each)("the same places, as readable or writable, in $profile with layer $layer", async (how) => {
  const seen = await seenByEach(how, "cat /proc/self/mountinfo");
  const [first, ...others] = seen.map((text) => mountsIn(text));
  expect(first?.size).toBeGreaterThan(20);
  for (const other of others) expect(other).toEqual(first);
});

test("the same devices, files in place of secrets, limits and errors", async () => {
  const lines = [
    "ls -lA /dev | sed 's/^.* \\(root\\|nobody\\).*:.. //'",
    "cat ~/.npmrc ~/.netrc ~/.ssh/id 2>&1",
    "ulimit -Hf; ulimit -Hd; ulimit -Hp; ulimit -Hc; umask; id -u",
    "touch /x /etc/x ~/x .git/x 2>&1; touch /tmp/x x && echo made",
    "echo x >/dev/null; head -c 2 /dev/zero | wc -c; script -qec 'echo a terminal' /dev/null",
  ];
  const [first, ...others] = await seenByEach({ profile: "build", overlay: false }, lines.join("\n"));
  expect(first).toContain("made");
  expect(first).toContain("a terminal");
  expect(first).not.toContain("secret");
  for (const other of others) expect(other).toBe(first);
});

test("no link leads a place that is to be hidden out of what the command sees", async () => {
  const texts = await seenByEach(
    { profile: "build", overlay: false },
    "cat ~/.config/gh/hosts.yml ~/elsewhere/hosts.yml",
  );
  for (const text of texts) expect(text).not.toContain("secret");
});

test("a secret that vanishes before the command starts does not keep it from starting", async () => {
  const [byLauncher] = await seenByEach(
    { profile: "build", overlay: false },
    "ls -A ~; cat ~/.npmrc",
    (home) =>
      [".netrc", ".ssh"].forEach((name) => rmSync(join(home, name), { recursive: true, force: true })),
  );
  expect(byLauncher).toMatch(/^\.npmrc$/mu);
  expect(byLauncher).not.toMatch(/secret|could not be made/u);
});

async function seenByEach(
  { profile, overlay }: { profile: ContainRequest["profile"]; overlay: boolean },
  line: string,
  meanwhile: (home: string) => void = () => undefined,
): Promise<string[]> {
  const [workspace, state, home] = [
    await temporaryWorkspace({ "a.txt": "a", ".env": "KEY=secret" }),
    await temporaryWorkspace({}),
    await temporaryWorkspace({
      ".netrc": "secret",
      ".ssh/id": "secret",
      ".npmrc": "//r/:_authToken=secret\nregistry=r",
    }),
  ];
  mkdirSync(join(workspace.root, ".git", "hooks"), { recursive: true });
  mkdirSync(join(home.root, ".config"));
  mkdirSync(join(home.root, "elsewhere"));
  writeFileSync(join(home.root, "elsewhere", "hosts.yml"), "secret");
  symlinkSync(join(home.root, "elsewhere"), join(home.root, ".config", "gh"));
  const request: ContainRequest = {
    profile,
    command: ["/bin/sh", "-c", line],
    directory: workspace.root,
    workspace: workspace.root,
    stateDir: state.root,
    home: home.root,
    env: { PATH: "/usr/bin:/bin", HOME: home.root },
    ...(overlay ? { overlay: true } : {}),
  };
  const texts: string[] = [];
  for (const lifeline of lifelines())
    if (await works(lifeline)) texts.push(await seenBy(lifeline, request, () => meanwhile(home.root)));
  for (const place of [workspace, state, home]) await place.remove();
  expect(texts.length).toBeGreaterThan(1);
  return texts;
}

/** Root may make namespaces that others may not, and a machine may forbid both. */
async function works(lifeline: Lifeline): Promise<boolean> {
  if (!("perl" in lifeline.by)) return false;
  const nobody = await runProcess({
    command: ["unshare", ...lifeline.options, "-m", "true"],
    cwd: "/",
    env: process.env,
  });
  return nobody.exit === 0;
}

async function seenBy(lifeline: Lifeline, request: ContainRequest, meanwhile: () => void): Promise<string> {
  const facts = {
    program: "/usr/bin/bwrap",
    limits: defaultLimits(),
    lifeline,
    ...(machine
      ? { filter: (filtering: Parameters<typeof seccompFilter>[1]) => seccompFilter(machine, filtering) }
      : {}),
  };
  const contained = await containInBubblewrap(request, facts, readyState(facts));
  if (!contained.ok) throw new Error(contained.problem);
  meanwhile();
  const outcome = await runProcess({ ...contained.value, cwd: request.directory });
  await contained.value.finished().then(({ settled }) => settled());
  return Buffer.from(outcome.output.bytes).toString();
}

/** What lies uppermost at each place: its file system, and whether it can be written or run from. */
function mountsIn(text: string): Map<string, string> {
  return new Map(
    text
      .trim()
      .split("\n")
      .map((line) => {
        const [mount = "", system = ""] = line.split(" - ");
        const [, , , , path = "", options = ""] = mount.split(" ");
        const kept = options.split(",").filter((option) => /^(?:ro|rw|nosuid|nodev|noexec)$/u.test(option));
        return [withoutNames(path), `${system.split(" ")[0] ?? ""} ${kept.join(",")}`] as const;
      })
      .filter(([path]) => !/\/(?:layer|covers|observed|command)-\*/u.test(path))
      .toSorted(([one], [other]) => one.localeCompare(other)),
  );
}

const withoutNames = (path: string): string => path.replace(/-[0-9a-f]{12}(?=\/|$)/gu, "-*");
