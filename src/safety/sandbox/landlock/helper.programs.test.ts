import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { machineOf, seccompFilter } from "../seccomp.ts";
import { outputOf } from "../try-out.ts";
import { rulesetFor } from "./grants.ts";
import { type AccessRule, perls, supervisedCommand } from "./helper.ts";

const machine = machineOf(process.arch) ?? "x64";
const [perl = ""] = perls;
const filter = seccompFilter(machine, { setId: "forbidden", shared: { changes: true } });
const everything: AccessRule = { path: "/", rights: 0b1101 };
const usual = { ruleset: rulesetFor(3), filter, grants: [everything] };

async function run(domain: Parameters<typeof supervisedCommand>[3], env: Record<string, string> = {}) {
  const confined = supervisedCommand(
    perl,
    machine,
    { command: ["/bin/sh", "-c", "echo ran $PERL5OPT"], env },
    domain,
  );
  return outputOf(confined.command, { env: confined.env });
}

test("a command runs only when every step of its confinement has succeeded", async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-helper-")));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "file"), "");
  symlinkSync("/etc", join(directory, "link"));
  for (const version of [3, 4, 5, 6])
    expect(await run({ ...usual, ruleset: rulesetFor(version) })).toEqual({ exit: 0, text: "ran\n" });
  const grants = (path: string, rights: number) => ({ ...usual, grants: [everything, { path, rights }] });
  expect(await run(grants(join(directory, "missing"), 4))).toEqual({ exit: 0, text: "ran\n" });
  const broken = {
    "a rule for": grants(join(directory, "file"), 8),
    "is elsewhere": grants(join(directory, "link/ssl"), 4),
    "no rule set": { ...usual, ruleset: new Uint8Array(8).fill(255) },
    "the filter of system calls": { ...usual, filter: new Uint8Array(8) },
  };
  for (const [words, domain] of Object.entries(broken)) {
    const { exit, text } = await run(domain);
    expect({ exit, text }).toEqual({ exit: 126, text: expect.stringContaining(words) });
    expect(text).not.toContain("ran");
  }
});

test("variables of Perl reach the command, and not the Perl that confines it", async () => {
  const env = { PERL5OPT: "-MNoSuchModule" };
  expect(await run(usual, env)).toEqual({ exit: 0, text: "ran -MNoSuchModule\n" });
});
